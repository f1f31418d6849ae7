// Package e2e drives the real window on a virtual screen: it types and clicks
// as a person does, waits for what the recording says, and keeps pictures of
// what was shown. Its tests need the build tag e2e; see the Makefile.
package e2e
