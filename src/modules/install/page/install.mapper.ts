import { extname } from 'node:path';
import { type BuildWithUrl } from '#modules/builds';
import { type Channel } from '#modules/channels';
import { type InstallBuild } from './install-build';
import { type ReachableBuild } from '../resolved-link';

/** A build as its page needs it. @param shown the channel that the page is about, which it need not name again. */
export function toInstallBuild({ build, channel, notes }: ReachableBuild, shown: Channel | null): InstallBuild {
  const { artifact } = build;
  const signing = artifact.signing?.platform === 'ios' ? artifact.signing : null;
  return {
    id: build.id,
    channelName: channel && channel.id !== shown?.id ? channel.name : null,
    platform: build.platform,
    appName: artifact.name,
    bundleId: artifact.bundleId,
    version: build.version,
    buildNumber: build.buildNumber,
    notes,
    sizeBytes: build.sizeBytes,
    uploadedAt: build.uploadedAt,
    minimumOsVersion: artifact.minOsVersion,
    fileExtension: extensionOf(build).slice(1),
    hasIcon: build.iconMediaType !== null,
    signing: signing && SIGNINGS[signing.distribution],
    expiresAt: signing?.expiresAt ?? null,
    warnings: build.warnings,
    notInstallable: build.notInstallable,
  };
}

/** The last segment of the address of a package: phones go by it. */
export const packageNameOf = (build: BuildWithUrl): string => `package${extensionOf(build)}`;

/** With the dot; empty where there is none. */
const extensionOf = ({ fileName }: BuildWithUrl): string => extname(fileName).toLowerCase();

const SIGNINGS = {
  development: 'development',
  adhoc: 'ad_hoc',
  enterprise: 'enterprise',
  appstore: 'unknown',
  simulator: 'unknown',
  none: 'unknown',
  unknown: 'unknown',
} as const;
