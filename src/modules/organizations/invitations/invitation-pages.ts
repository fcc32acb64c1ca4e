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
    const back = encodeURIComponent(`${ACCEPT}?token=${encodeURIComponent(token)}`);
    const dashboardLinks = [
      { href: `/login?next=${back}`, label: messages.account.logIn },
      { href: `/signup?next=${back}`, label: messages.account.signUp },
    ];
    return page({ messages, tone: 'neutral', title, paragraphs: [text], form, dashboardLinks });
  },
  joined(messages: Messages, organization: { readonly id: string; readonly name: string }): HtmlPage {
    const { title, text } = messages.account.joined;
    const dashboardLinks = [{ href: `/o/${organization.id}`, label: messages.account.openDashboard }];
    return page({ messages, tone: 'success', title, paragraphs: [text(organization.name)], dashboardLinks });
  },
};
