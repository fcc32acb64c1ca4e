import { useMemo } from 'react';
import {
  formatByteChange,
  formatBytes,
  formatDate,
  formatDateTime,
  formatDuration,
  formatList,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPlural,
  formatQuoted,
  formatTimeOfDay,
} from './format';
import { type LanguageCode } from './language';
import { useTexts } from './words-provider';

type Bound<F> = F extends (language: LanguageCode, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

const FORMATS = {
  bytes: formatBytes,
  byteChange: formatByteChange,
  date: formatDate,
  dateTime: formatDateTime,
  duration: formatDuration,
  list: formatList,
  money: formatMoney,
  number: formatNumber,
  percent: formatPercent,
  plural: formatPlural,
  quoted: formatQuoted,
  timeOfDay: formatTimeOfDay,
};
type Formats = { readonly [Name in keyof typeof FORMATS]: Bound<(typeof FORMATS)[Name]> };

/** The formats of numbers, sizes, sums and times in the current language. */
export function useFormat(): Formats {
  const { language } = useTexts();
  return useMemo(
    () =>
      Object.fromEntries(
        Object.entries(FORMATS).map(([name, format]) => [
          name,
          (...rest: unknown[]) => (format as (...all: unknown[]) => unknown)(language, ...rest),
        ]),
      ) as Formats,
    [language],
  );
}
