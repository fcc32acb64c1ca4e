import { Global, Module } from '@nestjs/common';
import { ErrorPresenter } from './error-presenter';
import { Readiness } from './readiness';

/** What answers errors, and whether this process wants traffic. */
@Global()
@Module({ providers: [ErrorPresenter, Readiness], exports: [ErrorPresenter, Readiness] })
export class HttpModule {}
