import { type Platform } from '#kernel/builds/platform';
import { versionName } from '#kernel/builds/version-name';
import { type Language } from '#kernel/text/language';
import { type BuildDiff } from '#modules/builds';

/** The differences between two builds that testers notice. */
export type NoticedChanges = Pick<BuildDiff, 'sizeBytes' | 'permissions' | 'minOsVersion'>;

/** The older build. */
export interface ComparedWith {
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
}

const BYTES_PER_MB = 1_000_000;
/** Smaller changes are left out: sizes are rounded to a tenth of a megabyte, so they would be shown as 0.0. */
const MIN_CHANGE_BYTES = BYTES_PER_MB / 20;
const NAMED_PERMISSIONS = 5;
const NAME_LENGTH = 60;

interface Words {
  readonly line: (version: string, changes: string) => string;
  readonly larger: (megabytes: string) => string;
  readonly smaller: (megabytes: string) => string;
  readonly permissions: (names: string, further: number) => string;
  readonly system: (system: string, version: string, before: string | null) => string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    line: (version, changes) => `Changed since ${version}: ${changes}.`,
    larger: (megabytes) => `${megabytes} MB larger`,
    smaller: (megabytes) => `${megabytes} MB smaller`,
    permissions: (names, further) => `new permissions: ${names}${further > 0 ? ` and ${further} more` : ''}`,
    system: (system, version, before) => `needs ${system} ${version}${before === null ? '' : ` (before: ${before})`}`,
  },
  de: {
    line: (version, changes) => `Geändert seit ${version}: ${changes}.`,
    larger: (megabytes) => `${megabytes} MB größer`,
    smaller: (megabytes) => `${megabytes} MB kleiner`,
    permissions: (names, further) => `neue Berechtigungen: ${names}${further > 0 ? ` und ${further} weitere` : ''}`,
    system: (system, version, before) =>
      `benötigt ${system} ${version}${before === null ? '' : ` (bisher: ${before})`}`,
  },
};

const SYSTEMS: Readonly<Record<Platform, string>> = {
  ios: 'iOS',
  android: 'Android',
  macos: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
};

/** A sentence about size, new permissions and the lowest system. Null when none of them changed. */
export function changesLine(changes: NoticedChanges, since: ComparedWith, language: Language): string | null {
  const words = WORDS[language];
  const parts = [sizeChange(changes, language), newPermissions(changes, words), systemChange(changes, since, words)];
  const known = parts.filter((part) => part !== null);
  if (known.length === 0) return null;
  const { version, buildNumber } = since;
  return words.line(versionName(version, buildNumber), known.join('; '));
}

function sizeChange({ sizeBytes }: NoticedChanges, language: Language): string | null {
  const difference = (sizeBytes?.to ?? 0) - (sizeBytes?.from ?? 0);
  if (Math.abs(difference) < MIN_CHANGE_BYTES) return null;
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const megabytes = format.format(Math.abs(difference) / BYTES_PER_MB);
  return difference > 0 ? WORDS[language].larger(megabytes) : WORDS[language].smaller(megabytes);
}

function newPermissions({ permissions }: NoticedChanges, words: Words): string | null {
  const added = permissions?.added ?? [];
  if (added.length === 0) return null;
  const names = added.slice(0, NAMED_PERMISSIONS).map(shortName).join(', ');
  return words.permissions(names, added.length - NAMED_PERMISSIONS);
}

/** `CAMERA` of `android.permission.CAMERA`, `Photo Library` of `NSPhotoLibraryUsageDescription`. */
function shortName(permission: string): string {
  const usage = /^NS(.+)UsageDescription$/.exec(permission)?.[1];
  const name = usage?.replace(/(?<=[a-z])(?=[A-Z])/g, ' ') ?? permission.replace(/^android\.permission\./, '');
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
}

function systemChange({ minOsVersion }: NoticedChanges, { platform }: ComparedWith, words: Words): string | null {
  const version = minOsVersion?.to ?? null;
  return version === null ? null : words.system(SYSTEMS[platform], version, minOsVersion?.from ?? null);
}
