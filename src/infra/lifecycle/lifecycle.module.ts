import { Global, Module } from '@nestjs/common';
import { Readiness } from './readiness';

/** What stage of its life this process is in. */
@Global()
@Module({ providers: [Readiness], exports: [Readiness] })
export class LifecycleModule {}
