import { type BrowserName } from '#kernel/text/browser-name';
import { type MailText } from '#infra/mail/mail-parts';
import {
  type AccountMailTexts,
  type LinkData,
  type NewSessionData,
  type NewTokenData,
  type NoticeData,
  type ResetUrlData,
  type VerifyEmailData,
} from './account-mail-texts';

const hours = (count: number): string => `${count} ${count === 1 ? 'hour' : 'hours'}`;
const setPassword = (url: string) => ({ url, label: 'Set a new password' });

function nameOf(browser: BrowserName | null): string {
  if (browser === null) return 'an unknown program';
  return browser.system === null ? browser.program : `${browser.program} on ${browser.system}`;
}

const secondFactorChanged = (what: string, { time, address, resetUrl }: NoticeData): MailText => ({
  subject: `Agate: your second factor was ${what}`,
  title: `Your second factor was ${what}`,
  paragraphs: [
    `The second factor of your Agate account was ${what} on ${time} from the address ${address}. All sessions were ended.`,
    'If this was you, no action is needed. If not, set a new password immediately, and ask the operator of this service to reset the second factor:',
    setPassword(resetUrl),
  ],
});

export const EN: AccountMailTexts = {
  verifyEmail: ({ name, url, expiresInHours }: VerifyEmailData) => ({
    subject: 'Verify your e-mail address for Agate',
    title: 'Verify your e-mail address',
    paragraphs: [
      name === undefined ? 'Hello,' : `Hello ${name},`,
      'This address was used to sign up for Agate. Please confirm that it is yours.',
      { url, label: 'Verify e-mail address' },
      {
        footnote: `The link works once and expires after ${hours(expiresInHours)}. If you did not sign up, ignore this mail: nothing happens without the link.`,
      },
    ],
  }),
  alreadyRegistered: ({ resetUrl }: ResetUrlData) => ({
    subject: 'You already have an Agate account',
    title: 'You already have an account',
    paragraphs: [
      'Someone, probably you, tried to sign up for Agate with this address. The address already has an account, and nothing was changed. You can log in.',
      'If you have forgotten the password, set a new one:',
      setPassword(resetUrl),
      'If this was not you, you can ignore this mail.',
    ],
  }),
  invited: ({ url, expiresInHours, resetUrl }: LinkData & ResetUrlData) => ({
    subject: 'Your Agate account is ready',
    title: 'Your account is ready',
    paragraphs: [
      'The operator of this service created an Agate account for this address. Choose its password:',
      setPassword(url),
      {
        footnote: `The link works once and expires after ${hours(expiresInHours)}. After that,`,
        link: { url: resetUrl, label: 'request another one' },
      },
      'If you did not expect this mail, ignore it: an account whose address is never confirmed is deleted.',
    ],
  }),
  resetPassword: ({ url, expiresInHours }: LinkData) => ({
    subject: 'Set a new password for Agate',
    title: 'Set a new password',
    paragraphs: [
      'Someone, probably you, requested a new password for your Agate account.',
      setPassword(url),
      {
        footnote: `The link works once and expires after ${hours(expiresInHours)}. If you did not request it, ignore this mail: your password stays as it is.`,
      },
    ],
  }),
  passwordChanged: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Your Agate password was changed',
    title: 'Your password was changed',
    paragraphs: [
      'The password of your Agate account was changed, and all its sessions were ended.',
      'If this was you, no action is needed. If not, set a new password immediately:',
      setPassword(resetUrl),
    ],
  }),
  wrongCodes: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Agate: wrong codes were entered for your second factor',
    title: 'Wrong codes for your second factor',
    paragraphs: [
      'Someone entered your password, and then several wrong codes of your second factor. They were not logged in. After many wrong codes, codes are accepted for a while only from browsers in which you logged in before; your recovery codes always work.',
      'If this was you, no action is needed. If not, someone knows your password. Set a new one immediately:',
      setPassword(resetUrl),
    ],
  }),
  confirmNewEmail: ({ url, expiresInHours }: LinkData) => ({
    subject: 'Confirm your new address for Agate',
    title: 'Confirm your new address',
    paragraphs: [
      'Someone, probably you, wants to use this address for an Agate account.',
      { url, label: 'Confirm the address' },
      { footnote: `The link expires after ${hours(expiresInHours)}. If this was not you, you can ignore this mail.` },
    ],
  }),
  emailChanged: () => ({
    subject: 'Your Agate address was changed',
    title: 'Your address was changed',
    paragraphs: [
      'Your Agate account now uses another e-mail address, and all its sessions were ended. This address will receive no more mails about the account.',
      'If this was not you, contact the operator of this service immediately.',
    ],
  }),
  secondFactorOn: (data: NoticeData) => secondFactorChanged('switched on', data),
  secondFactorOff: (data: NoticeData) => secondFactorChanged('switched off', data),
  secondFactorReset: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Agate: your second factor was reset',
    title: 'Your second factor was reset',
    paragraphs: [
      'The operator of this service removed the second factor of your Agate account. All sessions were ended. You log in with your password alone; set up a second factor again.',
      'If you did not request this, set a new password immediately and contact the operator:',
      setPassword(resetUrl),
    ],
  }),
  newToken: ({ last4, scopes, time, address, resetUrl }: NewTokenData) => ({
    subject: 'Agate: a personal access token was created',
    title: 'A personal access token was created',
    paragraphs: [
      `A personal access token of your Agate account, ending in ${last4}, was created on ${time} from the address ${address}. Its scopes are: ${scopes.join(', ')}.`,
      'If this was you, no action is needed. If not, set a new password immediately and revoke your personal access tokens in the same form:',
      setPassword(resetUrl),
    ],
  }),
  newSession: ({ time, address, browser, resetUrl }: NewSessionData) => ({
    subject: 'A login to your Agate account',
    title: 'A login to your Agate account',
    paragraphs: [
      `Someone logged in to your Agate account on ${time}, with ${nameOf(browser)}, from the address ${address}. You have not logged in from this network before.`,
      'If this was you, no action is needed. If not, someone knows your password. Set a new one immediately, which ends all sessions:',
      setPassword(resetUrl),
    ],
  }),
};
