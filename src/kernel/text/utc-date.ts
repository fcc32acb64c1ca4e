/** English is British: 25 November 2026, as in the dashboard. */
const TAGS: Readonly<Record<string, string>> = { en: 'en-GB' };

/** One formatter per language: creating one takes longer than formatting a page. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(language: string): Intl.DateTimeFormat {
  const known = formatters.get(language);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat(TAGS[language] ?? language, { dateStyle: 'long', timeZone: 'UTC' });
  formatters.set(language, formatter);
  return formatter;
}

/** `25 November 2026`: the date in UTC. */
export const utcDate = (time: Date, language: string): string => formatterFor(language).format(time);

/** `25 November 2026, 06:20 UTC`. Pages and mails do not know the zone of their reader, so they name theirs. */
export const utcTime = (time: Date, language: string): string =>
  `${utcDate(time, language)}, ${time.toISOString().slice(11, 16)} UTC`;
