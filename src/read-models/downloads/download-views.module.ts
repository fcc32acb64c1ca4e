import { Global, Module } from '@nestjs/common';
import { DownloadViews } from '#modules/builds';
import { DownloadViewsRepository } from './download-views.repository';

@Global()
@Module({
  providers: [{ provide: DownloadViews, useClass: DownloadViewsRepository }],
  exports: [DownloadViews],
})
export class DownloadViewsModule {}
