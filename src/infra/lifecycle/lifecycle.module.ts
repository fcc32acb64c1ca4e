import { Global, Module } from '@nestjs/common';
import { Readiness } from './readiness';

/** Provides {@link Readiness}. */
@Global()
@Module({ providers: [Readiness], exports: [Readiness] })
export class LifecycleModule {}
