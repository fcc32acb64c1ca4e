export { installMail, type InstallMailData, type InstallMailLinks } from './install-mails/install-mail';
export {
  type InviteAction,
  type InviteActionOutcome,
  SubscriptionActionsService,
  type InviteSubject,
} from './subscriptions/subscription-actions.service';
export { SubscriptionsService } from './subscriptions/subscriptions.service';
export { type InvolvedTester, type Recipient, type Tester } from './tester';
export { TESTERS_FILES, TestersErasure } from './testers.account-data';
export { TestersModule } from './testers.module';
export { TestersService } from './testers.service';
