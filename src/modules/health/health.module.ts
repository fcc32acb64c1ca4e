import { Module } from '@nestjs/common';
import { StorageModule } from '#modules/storage';
import { DatabaseProbesService } from './database-probes.service';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';

@Module({
  imports: [StorageModule],
  controllers: [HealthController],
  providers: [DatabaseProbesService, HealthService],
})
export class HealthModule {}
