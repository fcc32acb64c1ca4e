import { agateIcon } from './agate-icon';
import { signApk } from './apk-signature';
import { encodeBinaryXml, type XmlAttribute, type XmlElement } from './binary-xml';
import { type DemoBuild } from './demo-build';
import { encodeResourceTable, resourceId } from './resource-table';
import { makeSigner, type Signer } from './self-signed-certificate';
import { zip } from './zip';

const ICON = 'res/drawable/icon.png';
const XXXHDPI = 640;
const LABEL_TYPE = 0;
const ICON_TYPE = 1;

/** `android.R.attr`. */
const ATTRIBUTES = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  hasCode: 0x0101000c,
  exported: 0x01010010,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
} as const;

/** Somebody made up on the spot. An update installs only if the same one has signed it. */
export const demoSigner = (validFrom: Date): Signer => makeSigner('Agate Demo', validFrom);

/**
 * A complete Android package without code, signed: it installs, and shows an empty screen of the framework's own.
 */
export async function demoApk(build: DemoBuild, signer: Signer = demoSigner(build.builtAt)): Promise<Buffer> {
  const resources = encodeResourceTable(build.bundleId, [
    { type: 'string', name: 'app_name', value: build.name },
    { type: 'drawable', name: 'icon', value: ICON, density: XXXHDPI },
  ]);
  const apk = await zip(
    [
      // Android maps it into memory (from API 30 it insists): uncompressed, at a multiple of four, which the first entry's is.
      { name: 'resources.arsc', content: resources, compress: false },
      { name: 'AndroidManifest.xml', content: encodeBinaryXml(manifest(build)) },
      { name: ICON, content: agateIcon(512), compress: false },
    ],
    build.builtAt,
  );
  return signApk(apk, signer);
}

const android = (name: keyof typeof ATTRIBUTES, value: XmlAttribute['value']): XmlAttribute => ({
  name,
  resourceId: ATTRIBUTES[name],
  value,
});

function manifest({ bundleId, version, buildNumber }: DemoBuild): XmlElement {
  const launcher: XmlElement = {
    name: 'intent-filter',
    children: [
      { name: 'action', attributes: [android('name', 'android.intent.action.MAIN')] },
      { name: 'category', attributes: [android('name', 'android.intent.category.LAUNCHER')] },
    ],
  };
  const activity: XmlElement = {
    name: 'activity',
    attributes: [android('name', 'android.app.Activity'), android('exported', true)],
    children: [launcher],
  };
  const application: XmlElement = {
    name: 'application',
    attributes: [
      android('label', { reference: resourceId(LABEL_TYPE) }),
      android('icon', { reference: resourceId(ICON_TYPE) }),
      android('hasCode', false),
    ],
    children: [activity],
  };
  return {
    name: 'manifest',
    attributes: [
      android('versionCode', buildNumber),
      android('versionName', version),
      { name: 'package', value: bundleId },
    ],
    children: [
      { name: 'uses-sdk', attributes: [android('minSdkVersion', 24), android('targetSdkVersion', 34)] },
      application,
    ],
  };
}
