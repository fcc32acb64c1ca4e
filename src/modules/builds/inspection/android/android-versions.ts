/** Android's version by API level (developer.android.com, `uses-sdk`); index 0 is level 1. */
const VERSIONS: readonly string[] = [
  ...['1.0', '1.1', '1.5', '1.6', '2.0', '2.0.1', '2.1', '2.2', '2.3', '2.3.3', '3.0', '3.1', '3.2', '4.0', '4.0.3', '4.1'],
  ...['4.2', '4.3', '4.4', '4.4W', '5.0', '5.1', '6.0', '7.0', '7.1', '8.0', '8.1', '9', '10', '11', '12', '12L', '13', '14'],
  ...['15', '16'],
];

/** What people call an API level; a level this table does not know is named as such. */
export const androidVersionOf = (level: number): string => VERSIONS[level - 1] ?? `API ${level}`;
