import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyRecordEntity, IdempotencyRepository, IdempotencyVolumeEntity } from './idempotency.repository';
import { IdempotencyService } from './idempotency.service';
import { ReplayAfterAccessLoss } from './replay-after-access-loss';

/** `Idempotency-Key`. `@Idempotent` adds the interceptor to a route. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRecordEntity, IdempotencyVolumeEntity])],
  providers: [IdempotencyRepository, IdempotencyService, ReplayAfterAccessLoss],
  exports: [IdempotencyService, ReplayAfterAccessLoss],
})
export class IdempotencyModule {}
