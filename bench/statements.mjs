// Counts the statements of requests: a proxy between the service and PostgreSQL reads the messages of the driver.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const HEADER_BYTES = 5;
const textOf = (bytes, start) => bytes.toString('utf8', start, bytes.indexOf(0, start));

/** Reads the messages of a connection (PostgreSQL, "Message Formats"). The first one, which has no type, starts the session. */
function readStatements(found) {
  let buffer = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = isStarted ? HEADER_BYTES : HEADER_BYTES - 1;
      if (buffer.length < header) return;
      const end = buffer.readUInt32BE(header - 4) + header - 4;
      if (buffer.length < end) return;
      const type = isStarted ? String.fromCharCode(buffer[0]) : '';
      if (type === 'Q') found(textOf(buffer, HEADER_BYTES));
      // A name and the statement. Without prepared statements, each execution sends it.
      if (type === 'P') found(textOf(buffer, buffer.indexOf(0, HEADER_BYTES) + 1));
      isStarted = true;
      buffer = buffer.subarray(end);
    }
  };
}

/** @returns the URL of a proxy for a database, a function that takes the statements since its last call, and one that closes the proxy. */
export async function statementProxy(databaseUrl) {
  const { hostname, port } = new URL(databaseUrl);
  let statements = [];
  const sockets = new Set();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    const read = readStatements((text) => statements.push(text.replaceAll(/\s+/g, ' ').trim()));
    client.on('data', read).pipe(server).pipe(client);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => (client.destroy(), server.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(databaseUrl);
  url.port = String(proxy.address().port);
  const close = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, take: () => statements.splice(0), close };
}
