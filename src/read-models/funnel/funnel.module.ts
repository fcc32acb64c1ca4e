import { Module } from '@nestjs/common';
import { BuildsModule } from '#modules/builds';
import { BuildFunnelController } from './build-funnel.controller';
import { BuildFunnelRepository } from './build-funnel.repository';
import { BuildFunnelService } from './build-funnel.service';

@Module({
  imports: [BuildsModule],
  controllers: [BuildFunnelController],
  providers: [BuildFunnelRepository, BuildFunnelService],
})
export class FunnelModule {}
