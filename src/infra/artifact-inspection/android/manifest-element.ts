/** A value in a manifest, whichever of its two encodings it came from. References are to a resource id. */
export type ManifestValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'reference'; readonly id: number };

/** An attribute: by the platform's resource id where it has one (names may be shrunk away), else by its name. */
export interface ManifestAttribute {
  readonly id: number;
  readonly name: string;
  readonly value: ManifestValue;
}

/** A start tag and how deep it lies: 0 is `<manifest>`. */
export interface ManifestElement {
  readonly depth: number;
  readonly name: string;
  readonly attributes: readonly ManifestAttribute[];
}
