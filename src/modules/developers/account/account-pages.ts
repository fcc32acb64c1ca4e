import { PASSWORD_LENGTH } from '#kernel/access/password-policy';
import { type FormField, type MessagePageView } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';

/** The forms post to the API's own routes; which, the caller knows. */
export interface AccountForm {
  readonly action: string;
  /** What was wrong with the last attempt. */
  readonly problem?: string;
}

const emailField = (messages: Messages): FormField => ({
  name: 'email',
  label: messages.account.email,
  type: 'email',
  autocomplete: 'email',
  maxLength: 254,
});

type Told =
  | 'verified'
  | 'alreadyVerified'
  | 'verifyLinkSent'
  | 'resetDone'
  | 'resetLinkSent'
  | 'emailChanged'
  | 'emailLinkInvalid';

/** The pages that only say that something is done. */
export function accountDonePage(messages: Messages, what: Told): MessagePageView {
  const { title, text } = messages.account[what];
  const tone = what === 'verifyLinkSent' || what === 'resetLinkSent' ? 'neutral' : 'success';
  return { messages, tone, title, paragraphs: [text] };
}

/** A used, bad or expired link of a mail, with the form that asks for another (contract §4). It tells no two causes apart. */
export function accountLinkInvalidPage(
  messages: Messages,
  what: 'verifyLinkInvalid' | 'resetLinkInvalid',
  form: AccountForm,
): MessagePageView {
  const { title, text, submit } = messages.account[what];
  return {
    messages,
    tone: 'problem',
    title,
    paragraphs: [text],
    form: { ...form, fields: [emailField(messages)], submit },
  };
}

/** What the reset link of a mail opens. Showing it spends nothing; posting `token` and `new_password` does. */
export function resetPasswordPage(messages: Messages, form: AccountForm & { readonly token: string }): MessagePageView {
  const { title, text, submit } = messages.account.resetPassword;
  const { token, ...rest } = form;
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
    form: { ...rest, hidden: { token }, fields: [field], submit },
  };
}

/** Where somebody who has forgotten their password asks for the mail. */
export function forgottenPasswordPage(messages: Messages, form: AccountForm): MessagePageView {
  const { title, text, submit } = messages.account.forgotten;
  return {
    messages,
    tone: 'neutral',
    title,
    paragraphs: [text],
    form: { ...form, fields: [emailField(messages)], submit },
  };
}

/** What the link that was mailed to a new address opens. Showing it changes nothing. */
export function confirmNewEmailPage(
  messages: Messages,
  form: AccountForm & { readonly token: string },
): MessagePageView {
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
