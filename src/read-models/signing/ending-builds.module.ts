import { Global, Module } from '@nestjs/common';
import { EndingBuilds } from '#modules/builds';
import { EndingBuildsRepository } from './ending-builds.repository';

@Global()
@Module({
  providers: [{ provide: EndingBuilds, useClass: EndingBuildsRepository }],
  exports: [EndingBuilds],
})
export class EndingBuildsModule {}
