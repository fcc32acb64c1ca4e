import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { InvitesModule } from '#modules/invites';
import { ProjectsModule } from '#modules/projects';
import { MailOutbox } from '#platform/mail/mail-outbox';
import { InviteActionsService } from './invite-actions.service';
import { SubscriptionEntity } from './subscription.entity';
import { SubscriptionsController } from './subscriptions.controller';
import { SubscriptionsRepository } from './subscriptions.repository';
import { SubscriptionsService } from './subscriptions.service';
import { SuppressionEntity } from './suppression.entity';
import { SuppressionsRepository } from './suppressions.repository';
import { TesterFilesController } from './tester-files.controller';
import { TesterImportsService } from './tester-imports.service';
import { TesterInvitesController } from './tester-invites.controller';
import { InviteContent, TesterInvitesService } from './tester-invites.service';
import { TesterEntity } from './tester.entity';
import { TestersController } from './testers.controller';
import { TestersRepository } from './testers.repository';
import { TestersService } from './testers.service';

/** Those who install builds without an account. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SubscriptionEntity, SuppressionEntity, TesterEntity]),
    BuildsModule,
    ChannelsModule,
    InvitesModule,
    ProjectsModule,
  ],
  controllers: [TesterFilesController, TestersController, SubscriptionsController, TesterInvitesController],
  providers: [
    InviteActionsService,
    InviteContent,
    SubscriptionsRepository,
    SubscriptionsService,
    SuppressionsRepository,
    TesterImportsService,
    TesterInvitesService,
    TestersRepository,
    TestersService,
  ],
  exports: [InviteActionsService, SubscriptionsService, TestersService],
})
export class TestersModule implements OnModuleInit {
  constructor(
    private readonly testers: TestersRepository,
    private readonly outbox: MailOutbox,
  ) {}

  onModuleInit(): void {
    this.outbox.sendOnlyWhile('tester', (ctx, id) => this.testers.exists(ctx, id));
  }
}
