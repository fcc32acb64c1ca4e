/** The most specific first: Edge also calls itself Chrome, and Chrome calls itself Safari. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (names: typeof PROGRAMS, text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** A program that sent a request, and its system. */
export interface BrowserName {
  readonly program: string;
  readonly system: string | null;
}

/** Names the program of a `User-Agent` header. Only known names, because a client may send any text. `null` for an unknown program. */
export function browserNameOf(userAgent: string | null | undefined): BrowserName | null {
  const text = (userAgent ?? '').slice(0, 1000);
  const program = first(PROGRAMS, text);
  return program === null ? null : { program, system: first(SYSTEMS, text) };
}
