import {
  type AttributeInput,
  binaryXml,
  type ElementInput,
  protoResources,
  protoXml,
  type ResourceInput,
  resourceTable,
  signingBlock,
} from './android-writer';
import { certificate, name, octets, signedData } from './der-writer';
import { binaryPlist, type PlistInput, xmlPlist } from './plist-writer';
import { png, webp } from './png-writer';
import { signJar } from './signed/sign-jar';
import { signPackage } from './signed/sign-package';
import { zip, type ZipFile, type ZipOptions } from './zip-writer';

export type Distribution = 'development' | 'adhoc' | 'enterprise' | 'appstore' | 'none';

export interface IpaOptions {
  readonly info?: Record<string, PlistInput>;
  /** Keys to omit from the Info.plist. */
  readonly without?: readonly string[];
  readonly binary?: boolean;
  readonly distribution?: Distribution;
  readonly expiresAt?: Date;
  readonly applicationId?: string;
  /** The devices of the profile. Default: two. */
  readonly devices?: readonly string[];
  /** Replaces the whole profile file. */
  readonly profile?: Buffer;
  readonly icon?: Buffer;
  readonly folder?: string;
  readonly files?: readonly ZipFile[];
  /** Overrides the zip file entry of the Info.plist. */
  readonly infoFile?: Partial<ZipFile>;
  readonly zip?: ZipOptions;
}

export const DEMO_ID = 'com.example.demo';
/** The devices in the profile of an app. */
export const PROFILE_DEVICES = ['00008101-000000000000001E', '0'.repeat(40)] as const;
const FAR_FUTURE = new Date('2040-01-01T00:00:00Z');

export const INFO: Readonly<Record<string, PlistInput>> = {
  CFBundleIdentifier: DEMO_ID,
  CFBundleDisplayName: 'Demo App',
  CFBundleName: 'Demo',
  CFBundleShortVersionString: '1.2.3',
  CFBundleVersion: '42',
  MinimumOSVersion: '15.0',
  UIDeviceFamily: [1, 2],
  CFBundleSupportedPlatforms: ['iPhoneOS'],
  CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['AppIcon60x60'] } },
};

/** An Info.plist; `info` overrides keys. */
export function infoPlist({ info = {}, without = [], binary = true }: IpaOptions = {}): Buffer {
  const all = Object.entries({ ...INFO, ...info }).filter(([key]) => !without.includes(key));
  const value = Object.fromEntries(all);
  return binary ? binaryPlist(value) : Buffer.from(xmlPlist(value));
}

/** The plist of a provisioning profile. */
export function profilePlist({
  distribution = 'adhoc',
  expiresAt = FAR_FUTURE,
  applicationId,
  devices = PROFILE_DEVICES,
}: IpaOptions = {}): string {
  return xmlPlist({
    Name: `Demo ${distribution}`,
    TeamIdentifier: ['ABCDE12345'],
    TeamName: 'Example GmbH',
    ExpirationDate: expiresAt,
    DeveloperCertificates: [certificate({ CN: 'Apple Distribution: Example GmbH' })],
    Entitlements: {
      'application-identifier': applicationId ?? `ABCDE12345.${DEMO_ID}`,
      'get-task-allow': distribution === 'development',
      'aps-environment': 'production',
    },
    ...(distribution === 'development' || distribution === 'adhoc' ? { ProvisionedDevices: [...devices] } : {}),
    ...(distribution === 'enterprise' ? { ProvisionsAllDevices: true } : {}),
  });
}

/** The files of an .ipa. The Info.plist is first. */
export function ipaFiles(options: IpaOptions = {}): ZipFile[] {
  const { distribution = 'adhoc', folder = 'Payload/Demo.app/', icon = png({ cgbi: true }), files = [] } = options;
  const profile = options.profile ?? signedData(octets(Buffer.from(profilePlist(options))));
  return [
    { name: `${folder}Info.plist`, data: infoPlist(options), ...options.infoFile },
    ...(distribution === 'none' ? [] : [{ name: `${folder}embedded.mobileprovision`, data: profile }]),
    { name: `${folder}AppIcon60x60@2x.png`, data: icon },
    { name: `${folder}Demo`, data: Buffer.from('cffaedfe', 'hex') },
    ...files,
  ];
}

export const ipa = (options: IpaOptions = {}): Buffer => zip(ipaFiles(options), options.zip);

export interface AndroidOptions {
  readonly packageName?: string;
  readonly versionName?: string | { readonly reference: number } | null;
  readonly versionCode?: number | null;
  readonly versionCodeMajor?: number;
  readonly label?: string | { readonly reference: number };
  /** An API level, or the code name of a preview. */
  readonly minSdk?: number | string;
  readonly targetSdk?: number | string;
  readonly debuggable?: boolean | { readonly reference: number };
  readonly testOnly?: boolean;
  readonly permissions?: readonly string[];
  /** Features of the device. */
  readonly features?: readonly string[];
  /** Schemes of the addresses that open the app. */
  readonly urlSchemes?: readonly string[];
  readonly split?: string;
  readonly isSplitRequired?: boolean;
  readonly requiredSplitTypes?: string;
  readonly extractNativeLibs?: boolean | { readonly reference: number };
  /** Further elements of the application. */
  readonly components?: readonly ElementInput[];
  readonly utf8?: boolean;
  readonly abis?: readonly string[];
  /** The signature schemes; empty for an unsigned package. */
  readonly schemes?: readonly ('v1' | 'v2' | 'v3' | 'v3.1')[];
  readonly subject?: Readonly<Record<string, string>>;
  /** Replaces the APK Signing Block. */
  readonly signingBlock?: Buffer;
  readonly manifest?: Buffer;
  readonly manifestFile?: Partial<ZipFile>;
  readonly resources?: Buffer;
  /** Overrides the zip file entry of the resource table. */
  readonly resourcesFile?: Partial<ZipFile>;
  readonly files?: readonly ZipFile[];
  readonly zip?: ZipOptions;
}

export const RESOURCE = { label: 0x7f010000, icon: 0x7f020000, flag: 0x7f030000 } as const;
const SUBJECT = { C: 'DE', O: 'Example GmbH', CN: 'Release' };

/** The elements of a manifest. */
export function manifest(options: AndroidOptions = {}): ElementInput {
  const {
    packageName = DEMO_ID,
    versionName = '1.2.3',
    versionCode = 42,
    label = { reference: RESOURCE.label },
  } = options;
  const root: AttributeInput[] = [
    ...(versionCode === null ? [] : [{ name: 'versionCode', id: 0x0101021b, value: versionCode }]),
    ...(versionName === null ? [] : [{ name: 'versionName', id: 0x0101021c, value: versionName }]),
    ...(options.versionCodeMajor
      ? [{ name: 'versionCodeMajor', id: 0x01010576, value: options.versionCodeMajor }]
      : []),
    ...(options.split ? [{ name: 'split', id: 0, value: options.split }] : []),
    ...(options.isSplitRequired ? [{ name: 'isSplitRequired', id: 0x01010591, value: true }] : []),
    ...(options.requiredSplitTypes
      ? [{ name: 'requiredSplitTypes', id: 0x0101064e, value: options.requiredSplitTypes }]
      : []),
    { name: 'package', id: 0, value: packageName },
  ];
  const sdks: AttributeInput[] = [
    { name: 'minSdkVersion', id: 0x0101020c, value: options.minSdk ?? 24 },
    { name: 'targetSdkVersion', id: 0x01010270, value: options.targetSdk ?? 34 },
  ];
  const application: AttributeInput[] = [
    { name: 'label', id: 0x01010001, value: label },
    { name: 'icon', id: 0x01010002, value: { reference: RESOURCE.icon } },
    ...(options.debuggable ? [{ name: 'debuggable', id: 0x0101000f, value: options.debuggable }] : []),
    ...(options.testOnly ? [{ name: 'testOnly', id: 0x01010272, value: true }] : []),
    ...(options.extractNativeLibs === undefined
      ? []
      : [{ name: 'extractNativeLibs', id: 0x010104ea, value: options.extractNativeLibs }]),
  ];
  const intents = (options.urlSchemes ?? []).map((value) => ({
    name: 'intent-filter',
    children: [{ name: 'data', attributes: [{ name: 'scheme', id: 0x01010027, value }] }],
  }));
  return {
    name: 'manifest',
    attributes: root,
    children: [
      { name: 'uses-sdk', attributes: sdks },
      ...(options.permissions ?? []).map((value) => ({
        name: 'uses-permission',
        attributes: [{ name: 'name', id: 0x01010003, value }],
      })),
      ...(options.features ?? []).map((value) => ({
        name: 'uses-feature',
        attributes: [{ name: 'name', id: 0x01010003, value }],
      })),
      {
        name: 'application',
        attributes: application,
        children: [{ name: 'activity', children: intents }, ...(options.components ?? [])],
      },
    ],
  };
}

/** A label in two languages, and an icon as adaptive XML, as small PNG and as large WebP. */
const DEMO_RESOURCES: readonly ResourceInput[] = [
  { id: RESOURCE.label, language: 'de', value: 'Vorführung' },
  { id: RESOURCE.label, value: 'Demo & <Beta>' },
  { id: RESOURCE.icon, density: 0xfffe, value: 'res/a.xml' },
  { id: RESOURCE.icon, density: 160, value: 'res/b.png' },
  { id: RESOURCE.icon, density: 640, value: 'res/c.webp' },
];

export const demoResources = (): Buffer => resourceTable(DEMO_RESOURCES);

/** The resources of an app bundle, whose archive has the images below `base/`. */
export const demoBundleResources = (): Buffer => protoResources(DEMO_RESOURCES);

export function apkFiles(options: AndroidOptions = {}): ZipFile[] {
  const { schemes = ['v2'], subject = SUBJECT, abis = [], files = [] } = options;
  const content: ZipFile[] = [
    {
      name: 'AndroidManifest.xml',
      data: options.manifest ?? binaryXml(manifest(options), options),
      ...options.manifestFile,
    },
    {
      name: 'resources.arsc',
      data: options.resources ?? demoResources(),
      method: 0,
      align: 4,
      ...options.resourcesFile,
    },
    { name: 'res/b.png', data: png({ width: 36, height: 36 }) },
    { name: 'res/c.webp', data: webp() },
    ...abis.map((abi) => ({ name: `lib/${abi}/libdemo.so`, data: 'so' })),
    ...files,
  ];
  if (!schemes.includes('v1')) return content;
  const newer = schemes.flatMap((scheme) => (scheme === 'v2' || scheme === 'v3' ? [scheme.slice(1)] : []));
  return [...content, ...signJar(content, { certificate: certificate(subject), issuer: name(subject) }, newer)];
}

/** A package that is signed as devices require, unless its signing block is replaced or its archive is unusual. */
export function apk(options: AndroidOptions = {}): Buffer {
  const { schemes = ['v2'], subject = SUBJECT } = options;
  const newer = schemes.filter((scheme) => scheme !== 'v1');
  if (!options.signingBlock && !options.zip)
    return newer.length > 0 ? signPackage(zip(apkFiles(options)), newer, certificate(subject)) : zip(apkFiles(options));
  const blocks = newer.map((scheme) => [scheme, certificate(subject)]);
  const block =
    options.signingBlock ??
    (blocks.length > 0 ? signingBlock(Object.fromEntries(blocks) as Record<'v2', Buffer>) : undefined);
  return zip(apkFiles(options), { ...(block ? { beforeDirectory: block } : {}), ...options.zip });
}

export const aabFiles = (options: AndroidOptions = {}): ZipFile[] => [
  { name: 'BundleConfig.pb', data: Buffer.from([0x0a, 0]) },
  {
    name: 'base/manifest/AndroidManifest.xml',
    data: options.manifest ?? protoXml(manifest(options)),
    ...options.manifestFile,
  },
  ...(options.resources
    ? [
        { name: 'base/resources.pb', data: options.resources, method: 0 },
        { name: 'base/res/b.png', data: png({ width: 36, height: 36 }) },
        { name: 'base/res/c.webp', data: webp() },
      ]
    : []),
  ...(options.abis ?? []).map((abi) => ({ name: `base/lib/${abi}/libdemo.so`, data: 'so' })),
  ...(options.files ?? []),
];

export const aab = (options: AndroidOptions = {}): Buffer => zip(aabFiles(options), options.zip);
