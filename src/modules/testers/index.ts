export {
  type AdoptionCounts,
  type AdoptionFilter,
  type AdoptionOf,
  type AdoptionStep,
  lacksBuild,
  POSSESSION_STEPS,
  type TesterAdoption,
} from './activity/adoption';
export { csvRows, wrongFile, wrongLine } from './imports/csv-rows';
export { MailBudgetService } from './mails/mail-budget.service';
export { InviteLimitsService } from './mails/invite-limits.service';
export {
  type AppVersion,
  greeting,
  type InstallMailData,
  installParts,
  type MailNames,
  originOf,
  senderOf,
  sharedNameOf,
} from './mails/install-mail';
export { InstallMailsService } from './mails/install-mails.service';
export {
  type SubscriptionAction,
  SubscriptionActionsService,
  type SubscriptionOutcome,
  type SubscriptionSubject,
} from './link-actions/subscription-actions.service';
export { type MailPlatformsChange, MailPlatformsService } from './link-actions/mail-platforms.service';
export { ReleaseRecipientsService, type TakenRecipients } from './mails/release-recipients.service';
export { type Audience } from './activity/tester-counts.repository';
export { TesterCountsService } from './activity/tester-counts.service';
export { SubscriptionsService } from './subscriptions/subscriptions.service';
export { TesterOpeningsService } from './activity/tester-openings.service';
export { type TesterFilter, testersList, TesterViews } from './tester-views';
export {
  hasEnoughUnopened,
  type Recipient,
  type ReleaseRecipient,
  type Tester,
  type TesterActivity,
  type TesterState,
} from './tester';
export { TESTERS_FILES, TestersErasure } from './testers.account-data';
export { toTesterResponse } from './testers.mapper';
export { TestersModule } from './testers.module';
export { TESTERS_OF_PROJECT } from './testers.repository';
export { TestersService } from './testers.service';
