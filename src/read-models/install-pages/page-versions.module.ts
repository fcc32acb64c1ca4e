import { Global, Module } from '@nestjs/common';
import { PageOrigins, PageVersions } from '#modules/install';
import { PageOriginsRepository } from './page-origins.repository';
import { PageVersionsRepository } from './page-versions.repository';

@Global()
@Module({
  providers: [
    { provide: PageOrigins, useClass: PageOriginsRepository },
    { provide: PageVersions, useClass: PageVersionsRepository },
  ],
  exports: [PageOrigins, PageVersions],
})
export class PageVersionsModule {}
