import { createHash } from 'node:crypto';
import { octets, signedData } from '../der-writer';
import { CPU, executable, type ExecutableOptions } from '../macho-writer';
import { type PlistInput, xmlPlist } from '../plist-writer';
import { DEMO_ID, type Distribution, infoPlist, profilePlist } from '../valid-artifacts';
import { zip } from '../zip-writer';
import { codeSignature, type CodeSignatureOptions } from './code-signature';

const UUID = '0a1b2c3d-0000-4000-8000-1234567890ab';
const TEAM = 'ABCDE12345';
const EXECUTABLE = 'Main';
/** The rules that Apple's signer writes. */
const RULES = {
  '^.*': true,
  '^.*\\.lproj/': { optional: true, weight: 1000 },
  '^Info\\.plist$': { omit: true, weight: 20 },
  '^PkgInfo$': { omit: true, weight: 20 },
};

/** A bundle that is signed as Apple's tools do. */
export interface BundleOptions {
  readonly bundleId?: string;
  readonly info?: Readonly<Record<string, PlistInput>>;
  readonly distribution?: Distribution;
  readonly expiresAt?: Date;
  /** The bundle ids of the profile. */
  readonly profileFor?: string;
  /** Replaces the profile. `null`: none. */
  readonly profile?: string | null;
  readonly entitlements?: Readonly<Record<string, PlistInput>>;
  /** Resources by path, which are sealed. */
  readonly files?: Readonly<Record<string, string>>;
  readonly code?: Partial<CodeSignatureOptions>;
  readonly macho?: ExecutableOptions;
  /** Replaces the executable. */
  readonly executable?: (signature: Buffer) => Buffer;
}

export interface SignedIpaOptions extends BundleOptions {
  /** Bundles by their path in the app, such as `PlugIns/Share.appex`. */
  readonly nested?: Readonly<Record<string, BundleOptions>>;
  /** Files by path that are replaced, added or (`null`) removed after signing. */
  readonly afterwards?: Readonly<Record<string, Buffer | string | null>>;
}

type Files = Map<string, Buffer>;

/** The CMS of a profile plist. */
export const profileOf = (plist: string): Buffer => signedData(octets(Buffer.from(plist)));

/** An .ipa whose app and bundles are signed. */
export function signedIpa({ nested = {}, afterwards = {}, ...app }: SignedIpaOptions = {}): Buffer {
  const parts = Object.entries(nested).flatMap(([path, options]) =>
    [...signBundle(options, new Map())].map(([file, data]) => [`${path}/${file}`, data] as const),
  );
  const files = signBundle(app, new Map(parts));
  for (const [path, data] of Object.entries(afterwards)) {
    if (data === null) files.delete(path);
    else files.set(path, Buffer.from(data));
  }
  return zip([...files].map(([path, data]) => ({ name: `Payload/Demo.app/${path}`, data })));
}

/** The Info.plist of an app that `signedIpa` signs. */
export const signedInfo = (info: Readonly<Record<string, PlistInput>> = {}): Buffer =>
  infoPlist({ info: { CFBundleExecutable: EXECUTABLE, ...info } });

/** @param files of the bundle, to which the signed ones are added. */
function signBundle(options: BundleOptions, files: Files): Files {
  const { bundleId = DEMO_ID, distribution = 'adhoc', code, macho } = options;
  const info = signedInfo({ CFBundleIdentifier: bundleId, ...options.info });
  const expiry = options.expiresAt ? { expiresAt: options.expiresAt } : {};
  const plist = profilePlist({ distribution, applicationId: `${TEAM}.${options.profileFor ?? bundleId}`, ...expiry });
  const profile = options.profile === undefined ? plist : options.profile;
  files.set('Info.plist', info);
  if (profile !== null) files.set('embedded.mobileprovision', profileOf(profile));
  for (const [path, data] of Object.entries(options.files ?? {})) files.set(path, Buffer.from(data));
  const codeResources = Buffer.from(sealOf(files));
  const entitlements = {
    'application-identifier': `${TEAM}.${bundleId}`,
    'com.apple.developer.team-identifier': TEAM,
    'get-task-allow': distribution === 'development',
    ...options.entitlements,
  };
  const signature = codeSignature({ identifier: bundleId, info, codeResources, entitlements, ...code });
  const program = { cpu: CPU.arm64, fileType: 2, platform: 2, ...macho };
  files.set(EXECUTABLE, options.executable?.(signature) ?? executable(UUID, { ...program, signature }));
  files.set('_CodeSignature/CodeResources', codeResources);
  return files;
}

/** The list of the files of a bundle with their hashes. */
function sealOf(files: Files): string {
  const sealed = [...files].filter(([path]) => path !== 'Info.plist');
  const hashed = (hash: string, data: Buffer): Buffer => createHash(hash).update(data).digest();
  return xmlPlist({
    files: Object.fromEntries(sealed.map(([path, data]) => [path, hashed('sha1', data)])),
    files2: Object.fromEntries(
      sealed.map(([path, data]) => [
        path,
        { hash2: hashed('sha256', data), ...(path.includes('.lproj/') && { optional: true }) },
      ]),
    ),
    rules2: RULES,
  });
}
