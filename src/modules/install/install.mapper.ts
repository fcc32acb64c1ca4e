import { extname } from 'node:path';
import { type LinkedBuild } from '#modules/builds';
import { type InstallBuild } from './install-build';

/** A build as its install page needs it. */
export function toInstallBuild(build: LinkedBuild): InstallBuild {
  const { artifact } = build;
  const signing = artifact.signing?.platform === 'ios' ? artifact.signing : null;
  return {
    platform: build.platform,
    appName: artifact.name,
    bundleId: artifact.bundleId,
    version: build.version,
    buildNumber: build.buildNumber,
    notes: build.notes,
    sizeBytes: build.sizeBytes,
    uploadedAt: build.uploadedAt,
    minimumOsVersion: artifact.minOsVersion,
    fileExtension: extname(build.fileName).slice(1).toLowerCase(),
    hasIcon: build.iconMediaType !== null,
    signing: signing && SIGNINGS[signing.distribution],
    expiresAt: signing?.expiresAt ?? null,
    warnings: build.warnings,
    notInstallable: build.notInstallable,
  };
}

const SIGNINGS = {
  development: 'development',
  adhoc: 'ad_hoc',
  enterprise: 'enterprise',
  appstore: 'unknown',
  simulator: 'unknown',
  none: 'unknown',
  unknown: 'unknown',
} as const;
