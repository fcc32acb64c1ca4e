import { Global, Module } from '@nestjs/common';
import { ChannelViews } from '#modules/channels';
import { ReleasesModule } from '#modules/releases';
import { TestersModule } from '#modules/testers';
import { ChannelViewsService } from './channel-views.service';

@Global()
@Module({
  imports: [ReleasesModule, TestersModule],
  providers: [{ provide: ChannelViews, useClass: ChannelViewsService }],
  exports: [ChannelViews],
})
export class ChannelViewsModule {}
