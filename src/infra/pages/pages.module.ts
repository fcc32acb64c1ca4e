import { Global, Module } from '@nestjs/common';
import { PageAssets } from './page-assets';
import { PageRenderer } from './rendering/page-renderer';

/** Server-rendered pages. Controllers with pages use `PageInterceptor`, which renders the `HtmlPage` that a route returns. */
@Global()
@Module({
  providers: [
    { provide: PageAssets, useFactory: () => new PageAssets() },
    { provide: PageRenderer, inject: [PageAssets], useFactory: (assets: PageAssets) => new PageRenderer(assets) },
  ],
  exports: [PageAssets, PageRenderer],
})
export class PagesModule {}
