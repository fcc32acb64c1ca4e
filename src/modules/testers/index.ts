export { installMail, type InstallMailData, type InstallMailLinks } from './install-mail';
export {
  type InviteAction,
  type InviteActionOutcome,
  InviteActionsService,
  type InviteSubject,
} from './invite-actions.service';
export { SubscriptionsService } from './subscriptions.service';
export { type InvolvedTester, type Recipient, type Tester } from './tester';
export { TestersModule } from './testers.module';
export { TestersService } from './testers.service';
