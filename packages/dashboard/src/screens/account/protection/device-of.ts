/**
 * Names for the values that browsers and programs send, the most specific first: Edge also calls itself Chrome, and Chrome calls itself
 * Safari.
 */
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

const first = (names: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** The program and the system in a `User-Agent` header. For an unknown program, its first word. */
export function deviceOf(userAgent: string): { readonly program: string; readonly system: string | undefined } {
  const [own = ''] = userAgent.split(/[/ (]/);
  return { program: first(PROGRAMS, userAgent) ?? own, system: first(SYSTEMS, userAgent) };
}
