import { Global, Module } from '@nestjs/common';
import { LinkCountViews } from '#modules/install-links';
import { LinkCountViewsRepository } from './link-count-views.repository';

@Global()
@Module({
  providers: [{ provide: LinkCountViews, useClass: LinkCountViewsRepository }],
  exports: [LinkCountViews],
})
export class LinkCountViewsModule {}
