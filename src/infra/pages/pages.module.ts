import { Global, Module } from '@nestjs/common';
import { PageAssets } from './page-assets';
import { PageRenderer } from './rendering/page-renderer';

/** Server-rendered pages. The interceptor that renders what routes answer is registered in `app.module.ts`. */
@Global()
@Module({
  providers: [
    { provide: PageAssets, useFactory: () => new PageAssets() },
    { provide: PageRenderer, inject: [PageAssets], useFactory: (assets: PageAssets) => new PageRenderer(assets) },
  ],
  exports: [PageAssets, PageRenderer],
})
export class PagesModule {}
