import { type WorkBudget } from '../../limits/work-budget';

/** A value in a manifest of either encoding (binary XML, protocol buffer). A reference has a resource id. */
export type ManifestValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'reference'; readonly id: number };

/** The namespace of the platform's attributes. */
export const ANDROID_NAMESPACE = 'http://schemas.android.com/apk/res/android';

/** An attribute. Tools may remove names, so attributes of the platform are identified by resource id. */
export interface ManifestAttribute {
  /** The platform's resource id; 0 when there is none. */
  readonly id: number;
  /** Whether it is in the namespace `android`. */
  readonly isAndroid: boolean;
  readonly name: string;
  readonly value: ManifestValue;
}

/** Reads the elements of an XML file in the encoding of a package or of an app bundle. Throws when it is malformed. */
export type XmlParser = (bytes: Buffer, budget: WorkBudget) => ManifestElement[];

/** An element of a manifest. */
export interface ManifestElement {
  /** 0 for `<manifest>`. */
  readonly depth: number;
  readonly name: string;
  readonly attributes: readonly ManifestAttribute[];
}
