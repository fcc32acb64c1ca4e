import { Global, Module } from '@nestjs/common';
import { ErrorPresenter } from './errors/error-presenter';

/** What answers errors. */
@Global()
@Module({ providers: [ErrorPresenter], exports: [ErrorPresenter] })
export class HttpModule {}
