import { type Language } from '#kernel/text/language';
import { utcDate } from '#kernel/text/utc-date';
import { type MailRow, type MailText } from '#infra/mail/mail-parts';
import { translatedMail } from '#infra/mail/render-mail';
import { type ScheduledBuild } from './retention.repository';

export interface RetentionMailData {
  readonly project: string;
  /** The number of builds that are announced. */
  readonly count: number;
  /** Some of them. */
  readonly builds: readonly ScheduledBuild[];
  /** When they move to the trash. */
  readonly at: Date;
  /** The project's screen. Null on a service without a dashboard. */
  readonly projectUrl: string | null;
}

/** The texts of the mail in one language. */
interface RetentionWords {
  readonly title: (builds: number, date: string) => string;
  readonly subject: (project: string, title: string) => string;
  readonly explanation: string;
  readonly more: (builds: number) => string;
  readonly open: string;
  readonly reason: (project: string) => string;
  readonly settings: string;
}

const EN: RetentionWords = {
  title: (builds, date) => `${builds === 1 ? '1 build moves' : `${builds} builds move`} to the trash on ${date}`,
  subject: (project, title) => `${project}: ${title}`,
  explanation:
    'The retention rules of the project let them go. Pin a build, or promote it, to keep it. Builds in the trash can be restored for seven days.',
  more: (builds) => (builds === 1 ? 'And 1 more build.' : `And ${builds} more builds.`),
  open: 'Open the project',
  reason: (project) => `You get this mail because you manage ${project}.`,
  settings: 'Change the retention rules',
};

const DE: RetentionWords = {
  title: (builds, date) => `${builds === 1 ? '1 Build kommt' : `${builds} Builds kommen`} am ${date} in den Papierkorb`,
  subject: (project, title) => `${project}: ${title}`,
  explanation:
    'Die Aufbewahrungsregeln des Projekts behalten sie nicht. Heften Sie einen Build an oder geben Sie ihn frei, um ihn zu behalten. Builds im Papierkorb lassen sich sieben Tage lang wiederherstellen.',
  more: (builds) => (builds === 1 ? 'Und 1 weiterer Build.' : `Und ${builds} weitere Builds.`),
  open: 'Projekt öffnen',
  reason: (project) => `Sie erhalten diese E-Mail, weil Sie ${project} verwalten.`,
  settings: 'Aufbewahrungsregeln ändern',
};

/** Announces the builds of a project that retention will move to the trash. */
export const RETENTION_MAIL = translatedMail<RetentionMailData>({
  en: (data) => textOf(data, EN, 'en'),
  de: (data) => textOf(data, DE, 'de'),
});

function textOf(
  { project, count, builds, at, projectUrl }: RetentionMailData,
  words: RetentionWords,
  language: Language,
): MailText {
  const title = words.title(count, utcDate(at, language));
  const more = count - builds.length;
  const rowOf = ({ id, version, buildNumber, platform }: ScheduledBuild): MailRow => ({
    name: buildNumber === null ? version : `${version} (${buildNumber})`,
    detail: platform,
    url: projectUrl && `${projectUrl}/builds/${id}`,
  });
  return {
    subject: words.subject(project, title),
    eyebrow: project,
    title,
    paragraphs: [
      words.explanation,
      { list: builds.map(rowOf) },
      ...(more > 0 ? [words.more(more)] : []),
      ...(projectUrl === null ? [] : [{ url: projectUrl, label: words.open }]),
      {
        footnote: words.reason(project),
        ...(projectUrl !== null && { link: { url: `${projectUrl}/settings`, label: words.settings } }),
      },
    ],
  };
}
