import { type SubscriptionAction, type SubscriptionOutcome, type SubscriptionSubject } from '#modules/testers';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';

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
