import { PASSWORD_LENGTH, type PasswordProblem } from '#kernel/access/password-policy';
import { type FormField, MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { type Verification } from './developer-links.service';

const RESEND = '/api/v1/developers/resend-verification';
const RESET_REQUEST = '/api/v1/developers/reset_password_request';
const RESET = '/api/v1/developers/reset_password';

const page = (view: MessagePageView, status = 200): HtmlPage => new HtmlPage(MESSAGE_PAGE, view, status);

/** The pages behind mailed links. They work without JavaScript; their forms post to the API's own routes. */
export const accountPages = {
  verification(messages: Messages, outcome: Verification): HtmlPage {
    if (outcome === 'verified') return page(accountNoticePage(messages, 'verified'));
    if (outcome === 'already_verified') return page(accountNoticePage(messages, 'alreadyVerified'));
    return page(accountLinkInvalidPage(messages, 'verifyLinkInvalid', { action: RESEND }), 400);
  },
  verifyLinkSent: (messages: Messages): HtmlPage => page(accountNoticePage(messages, 'verifyLinkSent')),
  forgottenPassword: (messages: Messages): HtmlPage => page(forgottenPasswordPage(messages, { action: RESET_REQUEST })),
  resetLinkSent: (messages: Messages): HtmlPage => page(accountNoticePage(messages, 'resetLinkSent')),
  resetPassword: (messages: Messages, token: string): HtmlPage =>
    page(resetPasswordPage(messages, { action: RESET, token })),
  /** The reset form with the problem of the rejected password. */
  resetPasswordRejected(messages: Messages, reset: RejectedReset): HtmlPage {
    const { token, revokePats, problem } = reset;
    const form = { action: RESET, token, revokePats, problem: messages.account.passwordRefused[problem] };
    return page(resetPasswordPage(messages, form), 400);
  },
  resetLinkInvalid: (messages: Messages): HtmlPage =>
    page(accountLinkInvalidPage(messages, 'resetLinkInvalid', { action: RESET_REQUEST }), 400),
  confirmNewEmail: (messages: Messages, developerId: string, token: string): HtmlPage =>
    page(confirmNewEmailPage(messages, { action: `/api/v1/developers/${developerId}/change_email`, token })),
  emailChanged: (messages: Messages, changed: boolean): HtmlPage =>
    changed
      ? page(accountNoticePage(messages, 'emailChanged'))
      : page({ ...accountNoticePage(messages, 'emailLinkInvalid'), tone: 'problem' }, 400),
  passwordSet: (messages: Messages): HtmlPage => page(accountNoticePage(messages, 'resetDone')),
};

/** A submission of the reset form that was rejected. */
export interface RejectedReset {
  readonly token: string;
  readonly revokePats: boolean;
  readonly problem: PasswordProblem;
}

interface AccountForm {
  /** The path that the form posts to. */
  readonly action: string;
  /** The problem with the previous submission. */
  readonly problem?: string;
}

type Notice =
  | 'verified'
  | 'alreadyVerified'
  | 'verifyLinkSent'
  | 'resetDone'
  | 'resetLinkSent'
  | 'emailChanged'
  | 'emailLinkInvalid';

/** A page with a message and no form. It offers the login, unless it says that a mail was sent. */
export function accountNoticePage(messages: Messages, notice: Notice): MessagePageView {
  const { title, text } = messages.account[notice];
  if (notice === 'verifyLinkSent' || notice === 'resetLinkSent')
    return { messages, tone: 'neutral', title, paragraphs: [text] };
  const dashboardLinks = [{ href: '/login', label: messages.account.logIn }];
  return { messages, tone: 'success', title, paragraphs: [text], dashboardLinks };
}

/**
 * A mailed link that is used, malformed or expired, with a form that requests a new one. The page does not reveal the cause.
 */
export function accountLinkInvalidPage(
  messages: Messages,
  notice: 'verifyLinkInvalid' | 'resetLinkInvalid',
  form: AccountForm,
): MessagePageView {
  const { title, text, submit } = messages.account[notice];
  return {
    messages,
    tone: 'problem',
    title,
    paragraphs: [text],
    form: { ...form, fields: [emailField(messages)], submit },
  };
}

/** The form of a reset link. Showing it does not use the link; its POST does. */
export function resetPasswordPage(
  messages: Messages,
  form: AccountForm & { readonly token: string; readonly revokePats?: boolean },
): MessagePageView {
  const { title, text, submit } = messages.account.resetPassword;
  const { token, revokePats = false, ...rest } = form;
  const checkbox = { name: 'revoke_pats', label: messages.account.revokePats, ticked: revokePats };
  const field: FormField = {
    name: 'new_password',
    label: messages.account.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
  };
  return {
    messages,
    tone: 'neutral',
    title,
    paragraphs: [text],
    form: { ...rest, hidden: { token }, fields: [field], checkbox, submit },
  };
}

/** The form that requests a reset link. */
function forgottenPasswordPage(messages: Messages, form: AccountForm): MessagePageView {
  const { title, text, submit } = messages.account.forgotten;
  return {
    messages,
    tone: 'neutral',
    title,
    paragraphs: [text],
    form: { ...form, fields: [emailField(messages)], submit },
  };
}

/** The form of a link that was mailed to a new address. Showing it changes nothing; its POST does. */
function confirmNewEmailPage(messages: Messages, form: AccountForm & { readonly token: string }): MessagePageView {
  const { title, text, submit } = messages.account.confirmNewEmail;
  const { token, action } = form;
  return {
    messages,
    tone: 'neutral',
    title,
    paragraphs: [text],
    form: { action, hidden: { token }, fields: [], submit },
  };
}

const emailField = (messages: Messages): FormField => ({
  name: 'email',
  label: messages.account.email,
  type: 'email',
  autocomplete: 'email',
  maxLength: 254,
});
