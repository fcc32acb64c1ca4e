// A server with as much of the S3 API as uploads need. It discards what it receives, so it costs little beside the measured service.
import { createServer } from 'node:http';

const XML = { 'Content-Type': 'application/xml' };

/** @returns the URL, and the environment variables with which the service stores its artifacts here. */
export async function startDiscardingStore() {
  const sizes = new Map();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://store');
    let bytes = 0;
    request.on('data', (chunk) => (bytes += chunk.length));
    request.on('end', () => {
      if (request.method === 'HEAD') return response.writeHead(sizes.has(pathname) ? 200 : 404).end();
      if (request.method === 'DELETE') return response.writeHead(204).end();
      if (request.method === 'POST') {
        const tag = searchParams.has('uploads') ? 'InitiateMultipartUploadResult' : 'CompleteMultipartUploadResult';
        return response.writeHead(200, XML).end(`<${tag}><UploadId>1</UploadId><ETag>"1"</ETag></${tag}>`);
      }
      if (request.method === 'GET') return response.writeHead(200, XML).end('<ListBucketResult></ListBucketResult>');
      if (!searchParams.has('partNumber')) sizes.set(pathname, bytes);
      response.writeHead(200, { ETag: '"1"' }).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    environment: {
      STORAGE_PROVIDER: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${server.address().port}`,
      S3_BUCKET: 'bench',
      S3_ACCESS_KEY_ID: 'bench',
      S3_SECRET_ACCESS_KEY: 'bench',
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
