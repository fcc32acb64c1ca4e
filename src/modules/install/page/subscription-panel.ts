import { type Messages } from '#infra/pages/messages/messages';
import { type LinkAddresses } from './install-links';

/** Whether the tester whose link it is takes part, and whether the link may still change that. */
export interface SubscriptionPanel {
  /** What it is about: the mails about a channel, or, null, testing the project at all. */
  readonly channelName: string | null;
  readonly takesPart: boolean;
  /** A link makes one change; the next mail has another. */
  readonly spent: boolean;
}

/** What a tester's page says about it, with the form that changes it. */
export interface SubscriptionPanelSection {
  readonly title: string;
  readonly text: string;
  readonly form: { readonly action: string; readonly submit: string } | null;
  readonly note: string;
}

/** The form works once and without script; a scanner that opens the page changes nothing (contract §9). */
export function subscriptionPanelSection(
  { channelName, takesPart, spent }: SubscriptionPanel,
  addresses: LinkAddresses,
  { install }: Messages,
): SubscriptionPanelSection {
  const words = install.participation;
  const [text, action, submit] =
    channelName === null
      ? takesPart
        ? ([words.takesPart, 'decline', words.decline] as const)
        : ([words.declined, 'subscribe', words.rejoin] as const)
      : takesPart
        ? ([words.subscribed(channelName), 'unsubscribe', words.unsubscribe] as const)
        : ([words.unsubscribed(channelName), 'subscribe', words.subscribe] as const);
  return {
    title: channelName === null ? words.title : words.mailsTitle,
    text,
    form: spent ? null : { action: addresses.ofAction(action), submit },
    note: spent ? words.spent : words.personal,
  };
}
