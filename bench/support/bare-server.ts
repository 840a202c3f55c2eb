// The yardstick: node:http answering a tiny GIF, reading and parsing a JSON body when there is one,
// doing nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportToBench } from './cpu-compare.js';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const server = createServer((request, response) => {
  if (request.method !== 'POST')
    return void response
      .writeHead(200, { 'content-type': 'image/gif', 'content-length': gif.length })
      .end(gif);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
});
// A listening TCP server has an address object.
server.listen(0, '127.0.0.1', () => reportToBench((server.address() as AddressInfo).port));
