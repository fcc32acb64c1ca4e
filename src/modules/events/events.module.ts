import { Module } from '@nestjs/common';
import { AccessModule } from '#modules/access';
import { AuthModule } from '#modules/auth';
import { EventsController } from './events.controller';
import { EventStreams } from './streams/event-streams';
import { Viewers } from './streams/viewers';

@Module({
  imports: [AccessModule, AuthModule],
  controllers: [EventsController],
  providers: [EventStreams, Viewers],
})
export class EventsModule {}
