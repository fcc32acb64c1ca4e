import { type Language } from '#kernel/text/language';
import { translatedMail } from '#infra/mail/render-mail';
import { greeting, type InstallMailData, installParts, originOf, sharedNameOf } from '#modules/testers';

/** The apps are several when releases of several platforms share the mail. */
export type ReleaseMailData = InstallMailData & {
  readonly channel: string;
  /** Whether the tester was mailed about all of the versions before. */
  readonly isReminder: boolean;
};

const lists: Readonly<Record<Language, Intl.ListFormat>> = {
  en: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
  de: new Intl.ListFormat('de', { type: 'conjunction' }),
};

/**
 * `Harbour 2.4.0 (318) for iOS and 2.4.1 (319) for Android`, or `Harbour 2.4.0 (318) for iOS and Android`. Apps of different names follow
 * the project's.
 */
function versionsOf(
  data: ReleaseMailData,
  language: Language,
  on: (version: string, platforms: string) => string,
): string {
  const name = sharedNameOf(data);
  const platforms = new Map<string, string[]>();
  for (const { app } of data.apps) {
    const version = app.name === name ? app.version : `${app.name} ${app.version}`;
    platforms.set(version, [...(platforms.get(version) ?? []), app.platform]);
  }
  const isNamed = data.apps.every(({ app }) => app.name === name);
  const versions = [...platforms].map(([version, names]) => on(version, lists[language].format(names)));
  return `${name}${isNamed ? '' : ':'} ${lists[language].format(versions)}`;
}

interface TitleWords {
  readonly reminder: (name: string) => string;
  readonly one: (name: string) => string;
  readonly several: (count: number, name: string) => string;
}

function titleOf(data: ReleaseMailData, words: TitleWords): string {
  const name = sharedNameOf(data);
  if (data.isReminder) return words.reminder(name);
  return data.apps.length === 1 ? words.one(name) : words.several(data.apps.length, name);
}

/** Tells a subscriber of a channel about its new releases, or reminds them. */
export const RELEASE_MAIL = translatedMail<ReleaseMailData>({
  en: (data) => {
    const isOne = data.apps.length === 1;
    const versions = versionsOf(data, 'en', (version, platforms) => `${version} for ${platforms}`);
    return {
      subject: `${data.isReminder ? 'Reminder: ' : ''}${versions} ${isOne ? 'is' : 'are'} ready: ${data.channel}`,
      eyebrow: originOf(data, data.channel),
      title: titleOf(data, {
        reminder: (name) => `Reminder: please test ${name}`,
        one: (name) => `A new version of ${name}`,
        several: (count, name) => `${count} new versions of ${name}`,
      }),
      paragraphs: [
        greeting(data),
        data.isReminder
          ? `${data.names.organization} asked you to test ${isOne ? 'a new version' : 'new versions'}, and you do not have ${isOne ? 'it' : 'them'} yet.`
          : `${data.names.organization} sends you ${isOne ? 'a new version' : 'new versions'} to test.`,
        ...installParts(data, `You get this mail because you are subscribed to ${data.channel}.`),
      ],
      sentBy: data.names.organization,
    };
  },
  de: (data) => {
    const isOne = data.apps.length === 1;
    const versions = versionsOf(data, 'de', (version, platforms) => `${version} für ${platforms}`);
    return {
      subject: `${data.isReminder ? 'Erinnerung: ' : ''}${versions} ${isOne ? 'ist' : 'sind'} bereit: ${data.channel}`,
      eyebrow: originOf(data, data.channel),
      title: titleOf(data, {
        reminder: (name) => `Erinnerung: Bitte testen Sie ${name}`,
        one: (name) => `Eine neue Version von ${name}`,
        several: (count, name) => `${count} neue Versionen von ${name}`,
      }),
      paragraphs: [
        greeting(data),
        data.isReminder
          ? `${data.names.organization} hat Ihnen ${isOne ? 'eine neue Version' : 'neue Versionen'} zum Testen geschickt, und Sie haben sie noch nicht installiert.`
          : `${data.names.organization} schickt Ihnen ${isOne ? 'eine neue Version' : 'neue Versionen'} zum Testen.`,
        ...installParts(data, `Sie bekommen diese E-Mail, weil Sie ${data.channel} abonniert haben.`),
      ],
      sentBy: data.names.organization,
    };
  },
});
