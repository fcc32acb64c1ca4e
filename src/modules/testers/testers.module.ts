import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { MailPlatformsService } from './subscriptions/mail-platforms.service';
import { SubscriptionActionsService } from './subscriptions/subscription-actions.service';
import { SubscriptionEntity, SuppressionEntity } from './subscriptions/subscription.entity';
import { SubscriptionsController } from './subscriptions/subscriptions.controller';
import { SubscriptionsRepository } from './subscriptions/subscriptions.repository';
import { SubscriptionsService } from './subscriptions/subscriptions.service';
import { SuppressionsRepository } from './subscriptions/suppressions.repository';
import { TesterFilesController } from './imports/tester-files.controller';
import { TesterImportsService } from './imports/tester-imports.service';
import { InviteContentService } from './install-mails/invite-content.service';
import { TesterInvitesController } from './install-mails/tester-invites.controller';
import { TesterInvitesService } from './install-mails/tester-invites.service';
import { TesterEntity } from './tester.entity';
import { TestersErasure } from './testers.account-data';
import { TestersController } from './testers.controller';
import { TestersRepository } from './testers.repository';
import { TestersService } from './testers.service';

/** The people who install builds without an account. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SubscriptionEntity, SuppressionEntity, TesterEntity]),
    BuildsModule,
    ChannelsModule,
    InstallLinksModule,
    ProjectsModule,
  ],
  controllers: [TesterFilesController, TestersController, SubscriptionsController, TesterInvitesController],
  providers: [
    SubscriptionActionsService,
    InviteContentService,
    MailPlatformsService,
    SubscriptionsRepository,
    SubscriptionsService,
    SuppressionsRepository,
    TesterImportsService,
    TesterInvitesService,
    TestersErasure,
    TestersRepository,
    TestersService,
  ],
  exports: [MailPlatformsService, SubscriptionActionsService, SubscriptionsService, TestersErasure, TestersService],
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
