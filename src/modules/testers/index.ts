export { csvRows, MAX_LINES, wrongFile, wrongLine } from './imports/csv-rows';
export { InviteLimitsService } from './mails/tester-invites.service';
export { installMail, type InstallMailData, type InstallMailLinks } from './mails/install-mail';
export {
  MailPlatformsService,
  type MailPlatformsChange,
  type SubscriptionAction,
  SubscriptionActionsService,
  type SubscriptionOutcome,
  type SubscriptionSubject,
} from './subscriptions/subscription-actions.service';
export { ReleaseRecipientsService } from './subscriptions/release-recipients.service';
export { type Audience } from './activity/tester-counts.repository';
export { TesterCountsService } from './activity/tester-counts.service';
export { SubscriptionsService } from './subscriptions/subscriptions.service';
export { TesterOpeningsService } from './activity/tester-activity.service';
export { type TesterFilter, testersList, TesterViews } from './activity/tester-views';
export {
  type ReleaseRecipient,
  type Tester,
  type TesterActivity,
  type TesterState,
  type TesterWithSubscriptions,
} from './tester';
export { TESTERS_FILES, TestersErasure } from './testers.account-data';
export { TestersModule } from './testers.module';
export { TestersService } from './testers.service';
