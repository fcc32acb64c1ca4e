import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IdempotencyRecordEntity } from './idempotency-record.entity';
import { IdempotencyVolumeEntity } from './idempotency-volume.entity';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencyService } from './idempotency.service';

/** `Idempotency-Key`: the interceptor is registered in `app.module.ts`. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRecordEntity, IdempotencyVolumeEntity])],
  providers: [IdempotencyInterceptor, IdempotencyRepository, IdempotencyService],
  exports: [IdempotencyInterceptor],
})
export class IdempotencyModule {}
