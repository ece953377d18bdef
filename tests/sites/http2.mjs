// A page over HTTP/2 and TLS: certificate and pages come as JSON on standard input, then it says
// its port. It ends with its standard input.

import {createSecureServer} from 'node:http2';
import {createInterface} from 'node:readline';

const [line] = await Array.fromAsync({
  async *[Symbol.asyncIterator]() {
    for await (const one of createInterface({input: process.stdin})) { yield one; break; }
  },
});
const {cert, key, pages} = JSON.parse(line);
const server = createSecureServer({cert, key, allowHTTP1: false});
server.on('stream', (stream, headers) => {
  const [status, type, body] = pages[headers[':path']] ?? [404, 'text/plain', ''];
  stream.on('error', () => {});
  stream.respond({':status': status, 'content-type': type});
  stream.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
