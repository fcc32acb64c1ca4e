import { type Messages } from '#infra/pages/messages/messages';

export type InstallPlatform = 'ios' | 'android' | 'macos' | 'windows' | 'linux';

/** A code for programs, and a sentence for people. */
export interface Notice {
  readonly code: string;
  readonly message: string;
}

/** What the page needs to know about a build; the caller maps its own to this. Texts are plain, whatever they contain. */
export interface InstallBuild {
  readonly id: string;
  /** Through which channel a tester has it; null where the page says so anyway, or there is none. */
  readonly channelName: string | null;
  readonly platform: InstallPlatform;
  /** From the artifact; null shows the project's name. */
  readonly appName: string | null;
  readonly bundleId: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly sizeBytes: number;
  readonly uploadedAt: Date;
  readonly minimumOsVersion: string | null;
  /** Lower-case, without the dot; the download link ends in it. */
  readonly fileExtension: string;
  readonly hasIcon: boolean;
  /** iOS: how the app is signed, as far as it matters to whoever installs it. */
  readonly signing: 'development' | 'ad_hoc' | 'enterprise' | 'unknown' | null;
  /** iOS: when the provisioning profile ends and the app stops starting. */
  readonly expiresAt: Date | null;
  readonly warnings: readonly Notice[];
  /** Why no device can install it from a link (App Store signing, AAB, …), shown instead of a button; else null. */
  readonly notInstallable: Notice | null;
}

/** A notice in the reader's language. One that has no words there yet is shown as its author wrote it. */
export function inPlainWords({ code, message }: Notice, { install }: Messages): Notice {
  const words: Readonly<Record<string, string>> = install.warnings;
  return { code, message: Object.hasOwn(words, code) ? (words[code] ?? message) : message };
}
