import { Global, Module } from '@nestjs/common';
import { DeletableBuilds } from '#modules/builds';
import { DeletableBuildsRepository } from './deletable-builds.repository';

@Global()
@Module({
  providers: [{ provide: DeletableBuilds, useClass: DeletableBuildsRepository }],
  exports: [DeletableBuilds],
})
export class DeletableBuildsModule {}
