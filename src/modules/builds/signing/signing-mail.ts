import { type SigningPart } from '#kernel/builds/signing-end';
import { type Language } from '#kernel/text/language';
import { utcDate } from '#kernel/text/utc-date';
import { type MailPart, type MailRow, type MailText } from '#infra/mail/mail-parts';
import { translatedMail } from '#infra/mail/render-mail';
import { type AnnouncedBuild } from './ending-builds';

/** The number of builds that a mail names. */
const MAX_NAMED = 20;

export interface SigningMailData {
  readonly project: string;
  /** The builds of channels first. */
  readonly builds: readonly AnnouncedBuild[];
  /** The project's screen. Null on a service without a dashboard. */
  readonly projectUrl: string | null;
}

/** The days that are left of all builds, 0 when all have expired. Otherwise whether some have expired. */
type When = number | 'soon' | 'some-expired';

/** The texts of the mail in one language. */
interface SigningWords {
  readonly title: (builds: number, when: When) => string;
  readonly subject: (project: string, title: string) => string;
  readonly explanation: string;
  readonly parts: Readonly<Record<SigningPart, string>>;
  readonly detail: (part: string, date: string, days: number) => string;
  readonly inChannels: (names: string) => string;
  readonly byLink: string;
  readonly more: (builds: number) => string;
  readonly open: string;
  readonly reason: (project: string) => string;
  readonly settings: string;
}

const EN: SigningWords = {
  title: (builds, when) => {
    const signing = `The signing of ${builds === 1 ? '1 build' : `${builds} builds`}`;
    if (when === 'some-expired') return `${signing} has expired or expires soon`;
    if (when === 'soon') return `${signing} expires soon`;
    if (when === 0) return `${signing} has expired`;
    return `${signing} expires in ${when === 1 ? '1 day' : `${when} days`}`;
  },
  subject: (project, title) => `${project}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
  explanation:
    'Devices do not launch an app whose provisioning profile or signing certificate has expired, also where it is installed already. Renew it, build again, and promote the new build.',
  parts: { profile: 'Provisioning profile', certificate: 'Signing certificate' },
  detail: (part, date, days) =>
    days === 0
      ? `${part} expired on ${date}`
      : `${part} expires on ${date}, in ${days === 1 ? '1 day' : `${days} days`}`,
  inChannels: (names) => `In ${names}`,
  byLink: 'In no channel, only through its link',
  more: (builds) => (builds === 1 ? 'And 1 more build.' : `And ${builds} more builds.`),
  open: 'Open the project',
  reason: (project) => `You get this mail because you manage ${project}.`,
  settings: 'Turn these mails off for the project',
};

const DE: SigningWords = {
  title: (builds, when) => {
    const signing = `Die Signatur von ${builds === 1 ? '1 Build' : `${builds} Builds`}`;
    if (when === 'some-expired') return `${signing} ist abgelaufen oder läuft bald ab`;
    if (when === 'soon') return `${signing} läuft bald ab`;
    if (when === 0) return `${signing} ist abgelaufen`;
    return `${signing} läuft in ${when === 1 ? '1 Tag' : `${when} Tagen`} ab`;
  },
  subject: (project, title) => `${project}: ${title}`,
  explanation:
    'Geräte starten keine App, deren Provisioning-Profil oder Signaturzertifikat abgelaufen ist, auch wenn sie schon installiert ist. Erneuern Sie es, bauen Sie die App neu und geben Sie den neuen Build frei.',
  parts: { profile: 'Provisioning-Profil', certificate: 'Signaturzertifikat' },
  detail: (part, date, days) =>
    days === 0
      ? `${part} ist am ${date} abgelaufen`
      : `${part} läuft am ${date} ab, in ${days === 1 ? '1 Tag' : `${days} Tagen`}`,
  inChannels: (names) => `In ${names}`,
  byLink: 'In keinem Kanal, nur über den Link',
  more: (builds) => (builds === 1 ? 'Und 1 weiterer Build.' : `Und ${builds} weitere Builds.`),
  open: 'Projekt öffnen',
  reason: (project) => `Sie erhalten diese E-Mail, weil Sie ${project} verwalten.`,
  settings: 'Diese E-Mails für das Projekt abschalten',
};

/** Lists the builds of a project that devices will stop launching, or have stopped launching. */
export const SIGNING_MAIL = translatedMail<SigningMailData>({
  en: (data) => textOf(data, EN, 'en'),
  de: (data) => textOf(data, DE, 'de'),
});

function textOf({ project, builds, projectUrl }: SigningMailData, words: SigningWords, language: Language): MailText {
  const title = words.title(builds.length, whenOf(builds));
  const more = builds.length - MAX_NAMED;
  const rowOf = ({ id, version, buildNumber, what, at, daysLeft, channels }: AnnouncedBuild): MailRow => ({
    name: buildNumber === null ? version : `${version} (${buildNumber})`,
    detail: `${words.detail(words.parts[what], utcDate(at, language), daysLeft)}. ${placeOf(channels, words, language)}.`,
    url: projectUrl && `${projectUrl}/builds/${id}`,
  });
  const footnote: MailPart = {
    footnote: words.reason(project),
    ...(projectUrl !== null && { link: { url: `${projectUrl}/settings`, label: words.settings } }),
  };
  return {
    subject: words.subject(project, title),
    eyebrow: project,
    title,
    paragraphs: [
      words.explanation,
      { list: builds.slice(0, MAX_NAMED).map(rowOf) },
      ...(more > 0 ? [words.more(more)] : []),
      ...(projectUrl === null ? [] : [{ url: projectUrl, label: words.open }]),
      footnote,
    ],
  };
}

function whenOf(builds: readonly AnnouncedBuild[]): When {
  const days = new Set(builds.map(({ daysLeft }) => daysLeft));
  const [first = 0] = days;
  if (days.size === 1) return first;
  return days.has(0) ? 'some-expired' : 'soon';
}

const placeOf = (channels: readonly string[], words: SigningWords, language: Language): string =>
  channels.length === 0 ? words.byLink : words.inChannels(new Intl.ListFormat(language).format(channels));
