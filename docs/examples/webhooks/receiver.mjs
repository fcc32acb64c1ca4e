// Receives webhooks with the public library: npm install standardwebhooks
// WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  const body = await buffer(request);
  try {
    const event = webhook.verify(body, request.headers);
    console.log(`${request.headers['webhook-id']} ${event.type}`);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
