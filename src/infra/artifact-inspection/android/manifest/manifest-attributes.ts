import { type ManifestElement, type ManifestValue } from './manifest-element';

/** The `android:` attributes that are read, with their resource ids. */
export const ANDROID = {
  scheme: { name: 'scheme', id: 0x01010027 },
  label: { name: 'label', id: 0x01010001 },
  name: { name: 'name', id: 0x01010003 },
  icon: { name: 'icon', id: 0x01010002 },
  exported: { name: 'exported', id: 0x01010010 },
  src: { name: 'src', id: 0x01010119 },
  drawable: { name: 'drawable', id: 0x01010199 },
  debuggable: { name: 'debuggable', id: 0x0101000f },
  minSdkVersion: { name: 'minSdkVersion', id: 0x0101020c },
  versionCode: { name: 'versionCode', id: 0x0101021b },
  versionName: { name: 'versionName', id: 0x0101021c },
  targetSdkVersion: { name: 'targetSdkVersion', id: 0x01010270 },
  testOnly: { name: 'testOnly', id: 0x01010272 },
  extractNativeLibs: { name: 'extractNativeLibs', id: 0x010104ea },
  roundIcon: { name: 'roundIcon', id: 0x0101052c },
  versionCodeMajor: { name: 'versionCodeMajor', id: 0x01010576 },
  isSplitRequired: { name: 'isSplitRequired', id: 0x01010591 },
  requiredSplitTypes: { name: 'requiredSplitTypes', id: 0x0101064e },
} as const;

export type Known = (typeof ANDROID)[keyof typeof ANDROID];

/**
 * Finds an attribute of the platform by id, as devices do; else by name, because some app bundle tools omit the id. An attribute outside the
 * namespace is one of the app's own.
 */
export function attribute(element: ManifestElement | undefined, { id, name }: Known): ManifestValue | null {
  const { attributes = [] } = element ?? {};
  const found =
    attributes.find((each) => each.id === id) ??
    attributes.find((each) => each.id === 0 && each.isAndroid && each.name === name);
  return found?.value ?? null;
}

/** The value of an attribute without a namespace. */
export const named = (element: ManifestElement, name: string): ManifestValue | null =>
  element.attributes.find((each) => each.id === 0 && !each.isAndroid && each.name === name)?.value ?? null;

export const textOf = (value: ManifestValue | null): string | null =>
  value?.kind === 'text' && value.text ? value.text : null;

export function integerOf(value: ManifestValue | null): number | null {
  if (value?.kind === 'number') return value.number;
  return value?.kind === 'text' && /^\d{1,10}$/.test(value.text) ? Number(value.text) : null;
}
