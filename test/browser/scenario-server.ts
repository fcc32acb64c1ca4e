import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { PageAssets } from '#infra/pages/page-assets';
import { pageHeaders } from '#infra/pages/rendering/html-page';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { QR_CONTENT_TYPE, qrCodeSvg } from '../../src/modules/install/page/qr-code';
import { png } from '../support/artifacts/png-writer';
import { PAGE_SCENARIOS } from './page-scenarios';

/** Serves every scenario with the documents, headers and assets of the service. */
export async function serveScenarios(): Promise<{ url: (name: string) => string; stop: () => Promise<void> }> {
  const assets = new PageAssets();
  const renderer = new PageRenderer(assets);
  renderer.hasDashboard = true;
  const pages = new Map(PAGE_SCENARIOS.map(({ name, html }) => [`/${name}`, html(renderer)]));
  const code = await qrCodeSvg('https://get.example.com/install/code');
  const server = createServer(({ url = '/' }, response) => {
    const page = pages.get(url);
    const asset = assets.find(url);
    if (page !== undefined) response.writeHead(200, pageHeaders()).end(page);
    else if (asset) response.writeHead(200, asset.headers).end(asset.body);
    else if (url.endsWith('/icon.png'))
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(png({ width: 180, height: 180 }));
    else if (url.endsWith('/qr.svg')) response.writeHead(200, { 'Content-Type': QR_CONTENT_TYPE }).end(code);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
