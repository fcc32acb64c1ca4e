import { Global, Module } from '@nestjs/common';
import { ErrorPresenter } from './errors/error-presenter';

/** Provides {@link ErrorPresenter} to all modules. */
@Global()
@Module({ providers: [ErrorPresenter], exports: [ErrorPresenter] })
export class HttpModule {}
