import { translatedMail } from '#infra/mail/render-mail';
import { greeting, type InstallMailData, installParts, originOf, sharedNameOf } from './install-mail';

export interface InviteMailData {
  /** Null when the link opens one build or, without a build, all that the tester may install. */
  readonly channel: string | null;
}

type InviteMail = InviteMailData & InstallMailData;

/** `Harbour 2.4.0 (318)` of an invitation to a build, else project and channel. */
const subjectOf = ({ apps, names, channel }: InviteMail): string => {
  const [first] = apps;
  return first ? `${first.app.name} ${first.app.version}` : [names.project, channel].filter(Boolean).join(' ');
};

/** Invites a tester to a build, a channel or a project. */
export const INVITE_MAIL = translatedMail<InviteMail>({
  en: (data) => ({
    subject: `Test ${subjectOf(data)}`,
    eyebrow: originOf(data, data.channel),
    title: `Test ${sharedNameOf(data)}`,
    paragraphs: [
      greeting(data),
      `${data.names.organization} invites you to test ${sharedNameOf(data)}.`,
      ...(data.apps.length > 0 ? [] : [whatToOpenEn(data.channel)]),
      ...installParts(data, `You do not want to test ${data.names.project}?`),
    ],
    sentBy: data.names.organization,
  }),
  de: (data) => ({
    subject: `${subjectOf(data)} testen`,
    eyebrow: originOf(data, data.channel),
    title: `${sharedNameOf(data)} testen`,
    paragraphs: [
      greeting(data),
      `${data.names.organization} lädt Sie ein, ${sharedNameOf(data)} zu testen.`,
      ...(data.apps.length > 0 ? [] : [whatToOpenDe(data.channel)]),
      ...installParts(data, `Sie möchten ${data.names.project} nicht testen?`),
    ],
    sentBy: data.names.organization,
  }),
});

const whatToOpenEn = (channel: string | null): string =>
  channel === null
    ? 'Open the page on the device that you want to test with.'
    : `The page shows the current version of ${channel}; subscribe there to get a mail about each new version.`;

const whatToOpenDe = (channel: string | null): string =>
  channel === null
    ? 'Öffnen Sie die Seite auf dem Gerät, mit dem Sie testen möchten.'
    : `Die Seite zeigt die aktuelle Version von ${channel}; dort können Sie E-Mails über jede neue Version abonnieren.`;
