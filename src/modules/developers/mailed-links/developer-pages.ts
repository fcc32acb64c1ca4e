import { type PasswordProblem } from '#kernel/access/password-policy';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';
import {
  accountDonePage,
  accountLinkInvalidPage,
  confirmNewEmailPage,
  forgottenPasswordPage,
  resetPasswordPage,
} from '../account/account-pages';
import { type Verification } from './developer-links.service';

const RESEND = '/api/v1/developers/resend-verification';
const RESET_REQUEST = '/api/v1/developers/reset_password_request';
const RESET = '/api/v1/developers/reset_password';

const page = (view: MessagePageView, status = 200): HtmlPage => new HtmlPage(MESSAGE_PAGE, view, status);

/** The small pages behind mailed links. They work without JavaScript (but for a captcha); their forms post to the API's own routes. */
export const developerPages = {
  verification(messages: Messages, outcome: Verification): HtmlPage {
    if (outcome === 'verified') return page(accountDonePage(messages, 'verified'));
    if (outcome === 'already_verified') return page(accountDonePage(messages, 'alreadyVerified'));
    return page(accountLinkInvalidPage(messages, 'verifyLinkInvalid', { action: RESEND }), 400);
  },
  verifyLinkSent: (messages: Messages): HtmlPage => page(accountDonePage(messages, 'verifyLinkSent')),
  forgottenPassword: (messages: Messages): HtmlPage => page(forgottenPasswordPage(messages, { action: RESET_REQUEST })),
  resetLinkSent: (messages: Messages): HtmlPage => page(accountDonePage(messages, 'resetLinkSent')),
  chooseNewPassword: (messages: Messages, token: string): HtmlPage =>
    page(resetPasswordPage(messages, { action: RESET, token })),
  /** The same form again, with what was wrong. */
  chooseAnotherPassword: (messages: Messages, token: string, problem: PasswordProblem): HtmlPage =>
    page(
      resetPasswordPage(messages, { action: RESET, token, problem: messages.account.passwordRefused[problem] }),
      400,
    ),
  resetLinkInvalid: (messages: Messages): HtmlPage =>
    page(accountLinkInvalidPage(messages, 'resetLinkInvalid', { action: RESET_REQUEST }), 400),
  confirmNewEmail: (messages: Messages, developerId: string, token: string): HtmlPage =>
    page(confirmNewEmailPage(messages, { action: `/api/v1/developers/${developerId}/change_email`, token })),
  emailChanged: (messages: Messages, changed: boolean): HtmlPage =>
    changed
      ? page(accountDonePage(messages, 'emailChanged'))
      : page({ ...accountDonePage(messages, 'emailLinkInvalid'), tone: 'problem' }, 400),
  passwordSet: (messages: Messages): HtmlPage => page(accountDonePage(messages, 'resetDone')),
};
