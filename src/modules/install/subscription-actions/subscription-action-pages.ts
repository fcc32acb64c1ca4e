import { type InviteAction, type InviteActionOutcome, type InviteSubject } from '#modules/testers';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';

/** The small pages around what testers change by their links. They work without script. */
export const inviteActionPages = {
  /** Showing it changes nothing; its button does. */
  confirmUnsubscribe(messages: Messages, subject: InviteSubject, url: string): HtmlPage {
    const { title, text, submit } = messages.testing.unsubscribe;
    const form = { action: pathOf(url, 'unsubscribe'), fields: [], submit };
    return page({ messages, tone: 'neutral', title: title(nameOf(subject)), paragraphs: [text], form });
  },

  outcome(messages: Messages, action: InviteAction, outcome: InviteActionOutcome): HtmlPage {
    const words = messages.testing;
    if (!outcome.done) {
      return page({ messages, tone: 'neutral', title: words.alreadyDone.title, paragraphs: [words.alreadyDone.text] });
    }
    const { title, text } = words[doneOf(action, outcome)];
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

const pathOf = (url: string, action: InviteAction): string => `${new URL(url).pathname}/${action}`;

const nameOf = ({ project, channel }: InviteSubject): string => (channel === null ? project : `${project} ${channel}`);

function doneOf(
  action: InviteAction,
  { channel }: InviteSubject,
): 'subscribed' | 'returned' | 'unsubscribed' | 'declined' {
  if (action === 'subscribe') return channel === null ? 'returned' : 'subscribed';
  return channel === null ? 'declined' : 'unsubscribed';
}
