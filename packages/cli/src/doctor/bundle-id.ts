/** Where each kind of artifact names its app. */
export const MANIFESTS: Readonly<Record<string, RegExp>> = {
  '.ipa': /^Payload\/[^/]+\.app\/Info\.plist$/,
  '.apk': /^AndroidManifest\.xml$/,
  '.aab': /^base\/manifest\/AndroidManifest\.xml$/,
};

/**
 * Whether a manifest contains a text as a whole value: in a property list, binary or not, in Android's binary XML, or in a protocol
 * buffer. The id of an app may be the beginning of another id.
 */
export function containsValue(manifest: Buffer, value: string): boolean {
  return formsOf(value).some((form) => manifest.includes(form));
}

function formsOf(value: string): Buffer[] {
  const utf8 = Buffer.from(value, 'utf8');
  const utf16 = Buffer.from(value, 'utf16le');
  const length = utf8.length;
  const inProperty = length < 15 ? [0x50 + length] : [0x5f, 0x10, length];
  const units = Buffer.alloc(2);
  units.writeUInt16LE(value.length);
  return [
    Buffer.from(`<string>${value}</string>`),
    Buffer.concat([Buffer.from(inProperty), utf8]),
    Buffer.concat([units, utf16, Buffer.alloc(2)]),
    // Both the string pool of Android and protocol buffers write the length before the bytes.
    Buffer.concat([Buffer.from([length]), utf8]),
  ];
}
