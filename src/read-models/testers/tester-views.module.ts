import { Global, Module } from '@nestjs/common';
import { TesterViews } from '#modules/testers';
import { TesterViewsRepository } from './tester-views.repository';

@Global()
@Module({
  providers: [{ provide: TesterViews, useClass: TesterViewsRepository }],
  exports: [TesterViews],
})
export class TesterViewsModule {}
