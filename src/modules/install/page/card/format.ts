const DAY_MS = 86_400_000;

/** Caches one formatter per language: creating one takes longer than formatting a page. */
function perLanguage<T>(create: (languageTag: string) => T): (languageTag: string) => T {
  const formatters = new Map<string, T>();
  return (languageTag) => {
    const cached = formatters.get(languageTag);
    if (cached !== undefined) return cached;
    const formatter = create(languageTag);
    formatters.set(languageTag, formatter);
    return formatter;
  };
}

const relatives = perLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const sizes = (['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const).map((unit, power) => ({
  bytes: 1000 ** power,
  format: perLanguage(
    (tag) =>
      new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: power > 1 ? 1 : 0,
      }),
  ),
}));

/** `today`, `yesterday`, `3 days ago`, `2 months ago`: counted in calendar days of UTC. A future date is `today`. */
export function daysAgo(date: Date, now: Date, languageTag: string): string {
  const days = Math.max(0, Math.floor(now.getTime() / DAY_MS) - Math.floor(date.getTime() / DAY_MS));
  const relative = relatives(languageTag);
  if (days < 30) return relative.format(-days, 'day');
  return days < 365
    ? relative.format(-Math.floor(days / 30), 'month')
    : relative.format(-Math.floor(days / 365), 'year');
}

/** `48.2 MB`: decimal units, like billing. */
export function sizeOf(bytes: number, languageTag: string): string {
  const unit = sizes.findLast((candidate) => bytes >= candidate.bytes) ?? sizes[0];
  return unit ? unit.format(languageTag).format(bytes / unit.bytes) : String(bytes);
}
