import { Module } from '@nestjs/common';
import { StorageModule } from '#modules/storage';
import { HealthService } from './health.service';
import { DatabaseProbesService } from './database-probes.service';
import { HealthController } from './health.controller';

@Module({
  imports: [StorageModule],
  controllers: [HealthController],
  providers: [DatabaseProbesService, HealthService],
})
export class HealthModule {}
