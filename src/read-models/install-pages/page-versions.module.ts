import { Global, Module } from '@nestjs/common';
import { PageVersions } from '#modules/install';
import { PageVersionsRepository } from './page-versions.repository';

@Global()
@Module({
  providers: [{ provide: PageVersions, useClass: PageVersionsRepository }],
  exports: [PageVersions],
})
export class PageVersionsModule {}
