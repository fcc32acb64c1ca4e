/** A version with the number of its build: `2.4.0 (318)`. A number that repeats the version is left out. */
export const versionName = (version: string, buildNumber: string | null): string =>
  buildNumber === null || buildNumber === version ? version : `${version} (${buildNumber})`;
