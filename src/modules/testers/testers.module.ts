import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { RowCountsService } from '#infra/row-counts/row-counts.service';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule, ChannelsService } from '#modules/channels';
import { InstallLinksModule } from '#modules/install-links';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { TesterActivityService } from './activity/tester-activity.service';
import { TesterCountsRepository } from './activity/tester-counts.repository';
import { TesterCountsService } from './activity/tester-counts.service';
import { TesterFillRepository } from './activity/tester-fill.repository';
import { TesterOpeningsService } from './activity/tester-openings.service';
import { BulkTestersController } from './bulk/bulk-testers.controller';
import { BulkTestersService } from './bulk/bulk-testers.service';
import { TesterExportService } from './imports/tester-export.service';
import { TesterFilesController } from './imports/tester-files.controller';
import { TesterImportsService } from './imports/tester-imports.service';
import { MailPlatformsService } from './link-actions/mail-platforms.service';
import { SubscriptionActionsService } from './link-actions/subscription-actions.service';
import { BouncesService } from './mails/bounces.service';
import { InstallMailsService } from './mails/install-mails.service';
import { InviteLimitsService } from './mails/invite-limits.service';
import { MailBudgetService } from './mails/mail-budget.service';
import { MailDayEntity, MailDaysRepository } from './mails/mail-days.repository';
import { ReleaseRecipientsRepository } from './mails/release-recipients.repository';
import { ReleaseRecipientsService } from './mails/release-recipients.service';
import { TesterInvitesController } from './mails/tester-invites.controller';
import { TesterInvitesService } from './mails/tester-invites.service';
import { ChannelSubscribersController } from './subscriptions/subscribers/channel-subscribers.controller';
import { ChannelSubscribersService } from './subscriptions/subscribers/channel-subscribers.service';
import { SUBSCRIBERS_OF_CHANNEL, SubscriptionEntity, SuppressionEntity } from './subscriptions/subscription.entity';
import { SubscriptionsController } from './subscriptions/subscriptions.controller';
import { SubscriptionsRepository } from './subscriptions/subscriptions.repository';
import { SubscriptionsService } from './subscriptions/subscriptions.service';
import { AddressDigests, SuppressionsRepository } from './suppressions/suppressions.repository';
import { TestersErasure } from './testers.account-data';
import { TestersController } from './testers.controller';
import { TesterEntity, TESTERS_OF_PROJECT, TestersRepository } from './testers.repository';
import { TestersService } from './testers.service';

/** The people who install builds without an account. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MailDayEntity, SubscriptionEntity, SuppressionEntity, TesterEntity]),
    BillingModule,
    BuildsModule,
    ChannelsModule,
    InstallLinksModule,
    OrganizationsModule,
    ProjectsModule,
  ],
  controllers: [
    BulkTestersController,
    ChannelSubscribersController,
    TesterFilesController,
    TestersController,
    SubscriptionsController,
    TesterInvitesController,
  ],
  providers: [
    AddressDigests,
    BouncesService,
    BulkTestersService,
    ChannelSubscribersService,
    SubscriptionActionsService,
    InstallMailsService,
    InviteLimitsService,
    MailBudgetService,
    MailDaysRepository,
    MailPlatformsService,
    ReleaseRecipientsRepository,
    ReleaseRecipientsService,
    SubscriptionsRepository,
    SubscriptionsService,
    SuppressionsRepository,
    TesterFillRepository,
    TesterActivityService,
    TesterExportService,
    TesterCountsRepository,
    TesterCountsService,
    TesterImportsService,
    TesterInvitesService,
    TesterOpeningsService,
    TestersErasure,
    TestersRepository,
    TestersService,
  ],
  exports: [
    InstallMailsService,
    InviteLimitsService,
    MailBudgetService,
    MailPlatformsService,
    ReleaseRecipientsService,
    SubscriptionActionsService,
    SubscriptionsService,
    TesterCountsService,
    TesterOpeningsService,
    TestersErasure,
    TestersService,
  ],
})
export class TestersModule implements OnModuleInit {
  constructor(
    private readonly suppressions: SuppressionsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly channels: ChannelsService,
    private readonly outbox: MailOutbox,
    private readonly rowCounts: RowCountsService,
  ) {}

  onModuleInit(): void {
    this.rowCounts.register(TESTERS_OF_PROJECT);
    this.rowCounts.register(SUBSCRIBERS_OF_CHANNEL);
    this.channels.beforeEnd.add((tx, scope, id) => this.subscriptions.deleteOfChannel(tx, scope, id));
    this.outbox.sendOnlyWhile('tester', (ctx, recipient) => this.suppressions.allowMail(ctx, recipient));
  }
}
