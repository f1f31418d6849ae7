// Package demo is the server that a newcomer meets first: Kestrel Hill Observatory, a small invented place with three
// telescopes, a weather mast, an archive and a night log. It offers one of everything that the Model Context Protocol
// allows a server to offer, over stdio and over Streamable HTTP, to clients of the handshake revisions (2024-11-05 to
// 2025-11-25) and of the stateless revision 2026-07-28 alike.
//
// The server stands on the official Go SDK. Where the SDK would round a number or refuse an answer, the demo reads the
// bytes itself: what a person typed is what the tools report.
package demo
