//go:build !headless && (!cgo || ci)

package main

// screenSize is not known without the toolkit's driver for the desktop.
func screenSize() string { return "" }
