import plist from 'plist';
import { agateIcon } from './agate-icon';
import { type DemoBuild } from './demo-build';
import { provisioningProfile } from './provisioning-profile';
import { zip } from './zip';

const MINIMUM_OS = '15.0';

/**
 * A complete iOS package: metadata, icons, an ad hoc profile and an executable of nothing but a header. Everything about it
 * can be inspected and served; a phone that is not in the profile refuses it, as it would any other.
 */
export function demoIpa(build: DemoBuild): Promise<Buffer> {
  const app = 'Payload/AgateDemo.app';
  return zip(
    [
      { name: `${app}/Info.plist`, content: Buffer.from(plist.build(infoPlist(build))) },
      { name: `${app}/PkgInfo`, content: Buffer.from('APPL????') },
      { name: `${app}/AgateDemo`, content: machOHeader(), executable: true },
      { name: `${app}/embedded.mobileprovision`, content: provisioningProfile(build) },
      { name: `${app}/AppIcon60x60@2x.png`, content: agateIcon(120), compress: false },
      { name: `${app}/AppIcon60x60@3x.png`, content: agateIcon(180), compress: false },
    ],
    build.builtAt,
  );
}

const infoPlist = ({ name, bundleId, version, buildNumber }: DemoBuild) => ({
  CFBundleDevelopmentRegion: 'en',
  CFBundleDisplayName: name,
  CFBundleExecutable: 'AgateDemo',
  CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['AppIcon60x60'], CFBundleIconName: 'AppIcon' } },
  CFBundleIdentifier: bundleId,
  CFBundleInfoDictionaryVersion: '6.0',
  CFBundleName: name,
  CFBundlePackageType: 'APPL',
  CFBundleShortVersionString: version,
  CFBundleSupportedPlatforms: ['iPhoneOS'],
  CFBundleVersion: String(buildNumber),
  DTPlatformName: 'iphoneos',
  LSRequiresIPhoneOS: true,
  MinimumOSVersion: MINIMUM_OS,
  UIDeviceFamily: [1],
  UILaunchScreen: {},
  UIRequiredDeviceCapabilities: ['arm64'],
});

/** mach-o/loader.h: a 64-bit ARM executable with two load commands: built for iOS, and not encrypted. */
function machOHeader(): Buffer {
  const buildVersion = [0x32, 24, 2, 15 << 16, 17 << 16, 0];
  const encryptionInfo = [0x2c, 24, 0, 0, 0, 0];
  const commands = [...buildVersion, ...encryptionInfo];
  const header = [0xfeedfacf, 0x0100000c, 0, 2, 2, commands.length * 4, 0x00200085, 0];
  return Buffer.from(Uint32Array.from([...header, ...commands]).buffer);
}
