import { Module } from '@nestjs/common';
import { StorageModule } from '#modules/storage';
import { DatabaseProbesService, HealthService } from './health.service';
import { HealthController } from './health.controller';

@Module({
  imports: [StorageModule],
  controllers: [HealthController],
  providers: [DatabaseProbesService, HealthService],
})
export class HealthModule {}
