// A peer on the TypeScript SDK v2: a counter to subscribe to, and a tool that ends the server's side of all subscriptions.
// It speaks over stdio, or over HTTP when it is given a port.
import http from 'node:http';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod/v4';

let counter = 0;
let handler;
let stdio;

function build() {
  const server = new McpServer(
    { name: 'ts2-peer', version: '0.1.0' },
    { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } } },
  );
  server.registerResource('counter', 'peer://counter', { mimeType: 'text/plain' }, async uri => ({
    contents: [{ uri: uri.href, text: String(counter) }],
  }));
  server.registerTool('bump', { description: 'counts one on', inputSchema: z.object({}) }, async () => {
    counter++;
    if (handler) handler.notify.resourceUpdated('peer://counter');
    else await server.server.sendResourceUpdated({ uri: 'peer://counter' });
    return { content: [{ type: 'text', text: String(counter) }] };
  });
  server.registerTool('teardown', { description: 'ends this server soon', inputSchema: z.object({}) }, async () => {
    setTimeout(async () => {
      await (handler ?? stdio)?.close?.();
      process.exit(0);
    }, 200);
    return { content: [] };
  });
  return server;
}

const port = process.argv[2];
if (port) {
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  handler = createMcpHandler(build);
  http.createServer(toNodeHandler(handler)).listen(Number(port), '127.0.0.1');
} else {
  stdio = await serveStdio(build);
}
