import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import {
  type MailPlatformsChange,
  type SubscriptionAction,
  type SubscriptionOutcome,
  type SubscriptionSubject,
} from '#modules/testers';

/** The pages before and after a subscription action. They work without script. */
export const subscriptionActionPages = {
  /** Asks for a confirmation. Showing the page changes nothing; its button posts. */
  confirmUnsubscribe(messages: Messages, subject: SubscriptionSubject, url: string): HtmlPage {
    const { title, text, submit } = messages.testing.unsubscribe;
    const form = { action: pathOf(url, 'unsubscribe'), fields: [], submit };
    return page({ messages, tone: 'neutral', title: title(nameOf(subject)), paragraphs: [text], form });
  },

  outcome(messages: Messages, action: SubscriptionAction, outcome: SubscriptionOutcome): HtmlPage {
    const words = messages.testing;
    if (!outcome.done) {
      return page({ messages, tone: 'neutral', title: words.alreadyDone.title, paragraphs: [words.alreadyDone.text] });
    }
    const { title, text } = words[resultOf(action, outcome)];
    const form = outcome.returnUrl !== null && {
      action: pathOf(outcome.returnUrl, 'subscribe'),
      fields: [],
      submit: words.undo.submit,
    };
    const view = { messages, tone: 'success' as const, title: title(nameOf(outcome)) };
    return page(form ? { ...view, paragraphs: [`${text} ${words.undo.text}`], form } : { ...view, paragraphs: [text] });
  },
};

const page = (view: MessagePageView): HtmlPage => new HtmlPage(MESSAGE_PAGE, view);

const pathOf = (url: string, action: SubscriptionAction): string => `${new URL(url).pathname}/${action}`;

const nameOf = ({ project, channel }: SubscriptionSubject): string =>
  channel === null ? project : `${project} ${channel}`;

function resultOf(
  action: SubscriptionAction,
  { channel }: SubscriptionSubject,
): 'subscribed' | 'returned' | 'unsubscribed' | 'declined' {
  if (action === 'subscribe') return channel === null ? 'returned' : 'subscribed';
  return channel === null ? 'declined' : 'unsubscribed';
}

/** Confirms the tester's choice of platforms. If it changed, a form restores the previous choice. Works without script. */
export function mailPlatformsPage(messages: Messages, action: string, change: MailPlatformsChange): HtmlPage {
  const { platformsChosen: words, undo } = messages.testing;
  const { project, before, after } = change;
  const names = new Intl.ListFormat(messages.languageTag).format(after.map((one) => messages.install.systems[one]));
  const view = { messages, tone: 'success' as const, title: words.title(project) };
  const text = after.length === 0 ? words.all : words.text(names);
  if (before.join() === after.join()) return new HtmlPage(MESSAGE_PAGE, { ...view, paragraphs: [text] });
  const form = { action, hidden: { platforms: allOr(before) }, fields: [], submit: undo.submit };
  return new HtmlPage(MESSAGE_PAGE, { ...view, paragraphs: [text, undo.text], form });
}

const allOr = (platforms: readonly Platform[]): readonly Platform[] => (platforms.length === 0 ? PLATFORMS : platforms);
