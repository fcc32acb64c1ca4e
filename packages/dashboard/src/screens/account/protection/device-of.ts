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

/** The program with its main version, and the system, in a `User-Agent` header. For an unknown program, its first word. */
export function deviceOf(userAgent: string): { readonly program: string; readonly system: string | undefined } {
  const [own = ''] = userAgent.split(/[/ (]/);
  const known = PROGRAMS.find(([pattern]) => pattern.test(userAgent));
  // The number after the name of Safari is that of its engine.
  const named = known?.[1] === 'Safari' ? /\bVersion\// : known?.[0];
  const version = named && /\d+/.exec(userAgent.split(named)[1] ?? '')?.[0];
  const program = known ? [known[1], version].filter(Boolean).join(' ') : own;
  return { program, system: first(SYSTEMS, userAgent) };
}
