import { HtmlPage } from '#platform/pages/html-page';
import { MESSAGE_PAGE, type MessagePageView, type PageForm } from '#platform/pages/message-page';
import { type Messages } from '#platform/pages/messages';
import { PASSWORD_LENGTH } from '#kernel/passwords/password-policy';
import { type Verification } from './developer-links.service';

const ROUTES = '/api/v1/developers';

type Words = Messages['account'];

/** The small pages behind mailed links. They work without JavaScript; their forms post to the API's own routes. */
export const developerPages = {
  verification(messages: Messages, outcome: Verification): HtmlPage {
    const { account } = messages;
    if (outcome === 'verified') return page(messages, 'success', account.verified);
    if (outcome === 'already_verified') return page(messages, 'success', account.alreadyVerified);
    const form = askAgain(account, `${ROUTES}/resend-verification`, account.verifyLinkInvalid.submit);
    return page(messages, 'problem', account.verifyLinkInvalid, { form }, 400);
  },

  linkSent(messages: Messages, purpose: 'verify_email' | 'reset_password'): HtmlPage {
    const { verifyLinkSent, resetLinkSent } = messages.account;
    return page(messages, 'success', purpose === 'verify_email' ? verifyLinkSent : resetLinkSent);
  },

  chooseNewPassword(messages: Messages, token: string, problem?: string): HtmlPage {
    const { account } = messages;
    const form: PageForm = {
      action: `${ROUTES}/reset_password`,
      hidden: { token },
      fields: [
        {
          name: 'new_password',
          label: account.newPassword,
          type: 'password',
          autocomplete: 'new-password',
          minLength: PASSWORD_LENGTH.min,
          maxLength: PASSWORD_LENGTH.max,
        },
      ],
      submit: account.resetPassword.submit,
      ...(problem && { problem }),
    };
    return page(messages, 'neutral', account.resetPassword, { form }, problem ? 400 : 200);
  },

  passwordSet: (messages: Messages): HtmlPage => page(messages, 'success', messages.account.resetDone),

  forgotten(messages: Messages): HtmlPage {
    const { account } = messages;
    const form = askAgain(account, `${ROUTES}/reset_password_request`, account.forgotten.submit);
    return page(messages, 'neutral', account.forgotten, { form });
  },

  resetLinkInvalid(messages: Messages): HtmlPage {
    const { account } = messages;
    const form = askAgain(account, `${ROUTES}/reset_password_request`, account.resetLinkInvalid.submit);
    return page(messages, 'problem', account.resetLinkInvalid, { form }, 400);
  },
};

const askAgain = (account: Words, action: string, submit: string): PageForm => ({
  action,
  fields: [{ name: 'email', label: account.email, type: 'email', autocomplete: 'email', maxLength: 254 }],
  submit,
});

const page = (
  messages: Messages,
  tone: MessagePageView['tone'],
  { title, text }: { title: string; text: string },
  more: Partial<MessagePageView> = {},
  status = 200,
): HtmlPage => new HtmlPage(MESSAGE_PAGE, { messages, tone, title, paragraphs: [text], ...more }, status);
