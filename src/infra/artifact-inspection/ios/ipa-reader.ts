import { type ArtifactSource } from '../artifact-source';
import { type Icon, toIcon } from '../formats/image/icon';
import { pngArea } from '../formats/image/png';
import { readPlist } from '../formats/plist/plist';
import { type PlistDict } from '../formats/plist/plist-value';
import { asEntryName, type ZipArchive, type ZipEntry } from '../formats/zip/zip-archive';
import { type InspectedIpa, type IosTarget } from '../inspected-artifact';
import { inspectionError, orReject } from '../inspection-errors';
import { LIMITS } from '../limits/limits';
import { iosContents } from '../reader/contents';
import { capabilitiesOf } from './app-capabilities';
import { ExecutableReader, uuidsOf } from './executable/executable';
import { bundleIdOf, deviceFamiliesOf, firstText, iconNamesOf, targetOf, usageDescriptionsOf } from './info-plist';
import { type Provisioning, readProvisioningProfile, withoutProfile } from './provisioning-profile';
import { inspectCode } from './signature/app-code';

const INFO_PLIST = /^Payload\/[^/]+\.app\/Info\.plist$/;
const WRAPPED_INFO_PLIST = /^[^/]+\/Payload\/[^/]+\.app\/Info\.plist$/;

/**
 * Reads an .ipa, which has exactly one `Payload/*.app/Info.plist`.
 * @param source the whole file.
 * @throws AppError invalid_input.
 */
export async function readIpa(zip: ZipArchive, source: ArtifactSource): Promise<InspectedIpa> {
  const infoEntry = findInfoPlist(zip);
  const folder = infoEntry.name.slice(0, -'Info.plist'.length);
  const bytes = await zip.read(infoEntry, LIMITS.plistBytes);
  const info = orReject('corrupt_info_plist', () => readPlist(bytes, zip.budget));
  const bundleId = bundleIdOf(info);
  const deviceFamilies = deviceFamiliesOf(info);
  const target = targetOf(info, deviceFamilies);
  const provisioning = await readProvisioning(zip, folder, target);
  const usageDescriptions = usageDescriptionsOf(info);
  const permissions = usageDescriptions.map(({ key }) => key);
  const executables = new ExecutableReader(source, LIMITS.programBytes);
  const executableName = executableNameOf(info, folder);
  const entry = zip.find(folder + executableName);
  const executable = entry ? await executables.read(entry) : [];
  const executableUuids = uuidsOf(executable);
  const bundle = { folder, bundleId, info: bytes, executableName, executable, provisioning };
  const { code, certificateExpiresAt } = await inspectCode(zip, source, bundle, executables);
  const { signing } = provisioning;
  const version = ['CFBundleShortVersionString', 'CFBundleVersion'];
  return {
    kind: 'ipa',
    platform: 'ios',
    name: firstText(info, ['CFBundleDisplayName', 'CFBundleName', 'CFBundleExecutable'], LIMITS.nameLength) ?? bundleId,
    bundleId,
    version: firstText(info, version, LIMITS.versionLength),
    buildNumber: firstText(info, version.toReversed(), LIMITS.versionLength),
    minOsVersion: firstText(info, ['MinimumOSVersion'], LIMITS.versionLength),
    target,
    deviceFamilies,
    // A profile can have several certificates, of which one signed.
    signing: { ...signing, certificateExpiresAt: certificateExpiresAt ?? signing.certificateExpiresAt },
    code,
    details: {
      permissions,
      usageDescriptions,
      entitlements: provisioning.entitlements,
      devices: provisioning.devices,
      contents: iosContents(zip.entries, folder),
      capabilities: capabilitiesOf(info, zip.entries, folder),
    },
    ...(executableUuids.length > 0 && { executableUuids }),
    icon: await readIcon(zip, folder, iconNamesOf(info)),
  };
}

/** In the form of an entry's name. Without a name in the Info.plist, the executable is named as its folder. */
function executableNameOf(info: PlistDict, folder: string): string {
  const name = firstText(info, ['CFBundleExecutable'], LIMITS.nameLength);
  return name === null ? (/([^/]+)\.app\/$/.exec(folder)?.[1] ?? '') : asEntryName(name);
}

function findInfoPlist(zip: ZipArchive): ZipEntry {
  const found = zip.entries.filter((entry) => INFO_PLIST.test(entry.name));
  const [first] = found;
  if (first) {
    if (new Set(found.map((entry) => entry.name)).size > 1) throw inspectionError('several_apps');
    return first;
  }
  if (zip.entries.some((entry) => WRAPPED_INFO_PLIST.test(entry.name))) throw inspectionError('wrapped_app');
  if (zip.find('AndroidManifest.xml'))
    throw inspectionError('wrong_type', 'This is an Android package. Rename it to .apk.');
  throw inspectionError(
    'no_app',
    'The archive has no Payload/<name>.app/Info.plist, so it is not an iOS app. Upload an .ipa file.',
  );
}

async function readProvisioning(zip: ZipArchive, folder: string, target: IosTarget): Promise<Provisioning> {
  const profile = zip.find(`${folder}embedded.mobileprovision`);
  if (!profile) return withoutProfile(target === 'simulator' ? 'simulator' : 'none');
  const bytes = await zip.readIfSmall(profile, LIMITS.profileBytes);
  return bytes ? readProvisioningProfile(bytes, zip.budget) : withoutProfile('unknown');
}

const PNG = /\.png$/i;
/** The rest of a file's name after that of the icon: the scale and the kind of device. */
const VARIANT = /^(?:@\dx)?(?:~[a-z]+)?\.png$/i;
/** Names without an extension may leave out the size, too. */
const SIZED_VARIANT = /^(?:\d[\d.]{0,5}x\d[\d.]{0,5})?(?:@\dx)?(?:~[a-z]+)?\.png$/i;

/** Whether a file is an icon of this name for some screen. */
function isVariant(file: string, icon: string): boolean {
  const base = icon.replace(PNG, '');
  return file.startsWith(base) && (base === icon ? SIZED_VARIANT : VARIANT).test(file.slice(base.length));
}

/** The largest servable icon that the Info.plist names. Names are compared with entry names, never used as paths. */
async function readIcon(zip: ZipArchive, folder: string, names: readonly string[]): Promise<Icon | null> {
  const icons = names.map(asEntryName);
  const entries = zip.entries
    .filter(({ name }) => name.startsWith(folder) && PNG.test(name) && !name.includes('/', folder.length))
    .filter(
      ({ name, sizeBytes }) =>
        sizeBytes <= LIMITS.iconBytes && icons.some((icon) => isVariant(name.slice(folder.length), icon)),
    )
    .sort((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, LIMITS.iconCandidates);
  const files: Buffer[] = [];
  for (const entry of entries) files.push(await zip.read(entry, LIMITS.iconBytes));
  files.sort((a, b) => pngArea(b) - pngArea(a));
  for (const file of files) {
    const icon = toIcon(file, zip.budget);
    if (icon) return icon;
  }
  return null;
}
