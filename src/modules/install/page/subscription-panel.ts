import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type Messages } from '#infra/pages/messages/messages';
import { type LinkAddresses } from './link-addresses';

/** The subscription that a tester's page shows and lets them change. */
export interface SubscriptionPanel {
  /** `null` when the panel is about testing the project, not about the mails of one channel. */
  readonly channelName: string | null;
  /** Whether the tester gets the channel's mails or, without a channel, tests the project. */
  readonly active: boolean;
  /** The platforms for which the project has builds. */
  readonly platforms: readonly Platform[];
  /** The platforms that the tester chose to get mails about. Empty or absent: all. */
  readonly mailPlatforms?: readonly Platform[];
  /** Whether the link made its one change. The next mail has a new link. */
  readonly used: boolean;
}

/** The panel as the template shows it. */
export interface SubscriptionPanelSection {
  readonly title: string;
  readonly text: string;
  readonly form: { readonly action: string; readonly submit: string } | null;
  /** `null` when the tester gets no mails, or there is nothing to choose. */
  readonly platforms: PlatformChoiceForm | null;
  readonly note: string;
}

/** The choice of the platforms that the tester gets mails about, one box for each. */
export interface PlatformChoiceForm {
  readonly action: string;
  readonly legend: string;
  readonly hint: string;
  readonly options: readonly { readonly value: Platform; readonly label: string; readonly checked: boolean }[];
  readonly submit: string;
}

/** The form posts without script. A mail scanner that opens the page changes nothing. */
export function subscriptionPanelSection(
  { channelName, active, used, platforms, mailPlatforms = [] }: SubscriptionPanel,
  addresses: LinkAddresses,
  { install }: Messages,
): SubscriptionPanelSection {
  const words = install.subscriptionPanel;
  const [text, action, submit] =
    channelName === null
      ? active
        ? ([words.invited, 'decline', words.decline] as const)
        : ([words.declined, 'subscribe', words.rejoin] as const)
      : active
        ? ([words.subscribed(channelName), 'unsubscribe', words.unsubscribe] as const)
        : ([words.unsubscribed(channelName), 'subscribe', words.subscribe] as const);
  // A choice that was made stays visible, also when the project has no more builds for it.
  const offered = PLATFORMS.filter((platform) => platforms.includes(platform) || mailPlatforms.includes(platform));
  return {
    title: channelName === null ? words.title : words.mailsTitle,
    text,
    form: used ? null : { action: addresses.ofAction(action), submit },
    platforms:
      active && offered.length > 1
        ? {
            ...words.platforms,
            action: addresses.ofAction('platforms'),
            options: offered.map((value) => ({
              value,
              label: install.systems[value],
              checked: mailPlatforms.length === 0 || mailPlatforms.includes(value),
            })),
          }
        : null,
    note: used ? words.used : words.personal,
  };
}
