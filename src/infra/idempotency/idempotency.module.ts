import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IdempotencyRecordEntity, IdempotencyVolumeEntity, IdempotencyRepository } from './idempotency.repository';
import { IdempotencyService } from './idempotency.service';
import { ReplayAfterAccessLoss } from './replay-after-access-loss';

/** `Idempotency-Key`. The interceptor is registered in `app.module.ts`. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRecordEntity, IdempotencyVolumeEntity])],
  providers: [IdempotencyInterceptor, IdempotencyRepository, IdempotencyService, ReplayAfterAccessLoss],
  exports: [IdempotencyInterceptor, ReplayAfterAccessLoss],
})
export class IdempotencyModule {}
