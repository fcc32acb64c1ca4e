import { Module } from '@nestjs/common';
import { AccessModule } from '#modules/access';
import { AuthModule } from '#modules/auth';
import { EventsController } from './events.controller';
import { ChangesRepository } from './streams/changes.repository';
import { EventStreamsService } from './streams/event-streams.service';
import { ViewersService } from './streams/viewers.service';

@Module({
  imports: [AccessModule, AuthModule],
  controllers: [EventsController],
  providers: [ChangesRepository, EventStreamsService, ViewersService],
})
export class EventsModule {}
