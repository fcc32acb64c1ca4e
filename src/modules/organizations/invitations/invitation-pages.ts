import { HtmlPage } from '#infra/pages/rendering/html-page';
import { MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';

const ACCEPT = '/api/v1/organizations/invitations/accept';

const page = (view: MessagePageView): HtmlPage => new HtmlPage(MESSAGE_PAGE, view);

export const invitationPages = {
  /** Does not name the organization, because the link alone does not prove that the reader is the invited person. */
  accept(messages: Messages, token: string): HtmlPage {
    const { title, text, submit } = messages.account.invitation;
    const form = { action: ACCEPT, hidden: { token }, fields: [], submit };
    return page({ messages, tone: 'neutral', title, paragraphs: [text], form });
  },
  joined(messages: Messages, organization: string): HtmlPage {
    const { title, text } = messages.account.joined;
    return page({ messages, tone: 'success', title, paragraphs: [text(organization)] });
  },
};
