import { Global, Module } from '@nestjs/common';
import { CurrentBuilds } from '#modules/updates';
import { CurrentBuildsRepository } from './current-builds.repository';

@Global()
@Module({
  providers: [{ provide: CurrentBuilds, useClass: CurrentBuildsRepository }],
  exports: [CurrentBuilds],
})
export class CurrentBuildsModule {}
