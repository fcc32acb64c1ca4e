import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';

/** One DER element. */
export function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(
    body.length
      .toString(16)
      .padStart(body.length > 0xffffff ? 8 : body.length > 0xffff ? 6 : body.length > 0xff ? 4 : 2, '0'),
    'hex',
  );
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const SIGNED_DATA = oid('2a864886f70d010702');
const DATA = oid('2a864886f70d010701');
const ED25519 = der(0x30, oid('2b6570'));
const NAME_OIDS: Readonly<Record<string, string>> = { CN: '550403', O: '55040a', C: '550406' };

const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const utcTime = (at: Date): Buffer =>
  der(
    0x17,
    Buffer.from(
      at
        .toISOString()
        .replace(/\.\d+Z/, 'Z')
        .replace(/[-:T]/g, '')
        .slice(2),
      'latin1',
    ),
  );

const UTF8_STRING = 0x0c;

/** A distinguished name. @param tag of its texts. */
export const name = (subject: Readonly<Record<string, string>>, tag = UTF8_STRING): Buffer =>
  der(
    0x30,
    ...Object.entries(subject).map(([key, value]) =>
      der(0x31, der(0x30, oid(NAME_OIDS[key] ?? ''), der(tag, Buffer.from(value)))),
    ),
  );

/** A constant Ed25519 key that issues certificates, so that they are identical in every run. */
const ISSUER_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});

/** The constant key of all certificates, on the curve P-256, which Android packages can be signed with. */
const KEY = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('30310201010420', 'hex'),
    Buffer.alloc(32, 7),
    Buffer.from('a00a06082a8648ce3d030107', 'hex'),
  ]),
  format: 'der',
  type: 'sec1',
});
const PUBLIC_KEY = createPublicKey(KEY).export({ type: 'spki', format: 'der' });

/** The signatures of this process. ECDSA makes another one each time, but a package must be the same each time. */
const signatures = new Map<string, Buffer>();

/** Signs with ECDSA, SHA-256 and the key of all certificates. */
export function signWithKey(data: Buffer): { readonly signature: Buffer; readonly publicKey: Buffer } {
  const known = data.toString('latin1');
  const signature = signatures.get(known) ?? sign('sha256', data, KEY);
  signatures.set(known, signature);
  return { signature, publicKey: PUBLIC_KEY };
}

interface Signer {
  readonly key: KeyObject;
  readonly algorithm: Buffer;
  readonly digest: 'sha256' | null;
}

/**
 * A certificate in DER that the constant issuer signed, under the name of its subject.
 * @param subject its parts in the order of the certificate, least specific first.
 */
export function certificate(
  subject: Readonly<Record<string, string>>,
  serial = 7,
  notAfter = new Date('2045-01-01'),
  publicKey = PUBLIC_KEY,
  signer: Signer = { key: ISSUER_KEY, algorithm: ED25519, digest: null },
): Buffer {
  const validity = der(0x30, utcTime(new Date('2020-01-01')), utcTime(notAfter));
  const version = der(0xa0, integer(2));
  const body = der(0x30, version, integer(serial), signer.algorithm, name(subject), validity, name(subject), publicKey);
  const signature = sign(signer.digest, body, signer.key);
  return der(0x30, body, signer.algorithm, der(0x03, Buffer.from([0]), signature));
}

/** A certificate for a server with this name, which is its own authority, in PEM. Its key is of a kind that browsers accept. */
export function selfSignedCertificate(host: string, notAfter?: Date): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = { key: privateKey, algorithm: ECDSA_SHA256, digest: 'sha256' } as const;
  const ownKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = certificate({ CN: host }, 7, notAfter, ownKey, signer).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A CMS SignedData with `content` and certificates. @param signer the serial number of the signer's certificate. */
export function signedData(content: Buffer | null, certificates: readonly Buffer[] = [], signer = 7): Buffer {
  const enclosed = content ? [der(0xa0, content)] : [];
  const signerInfo = der(0x30, integer(1), der(0x30, name({ CN: 'x' }), integer(signer)));
  const body = [integer(1), der(0x31), der(0x30, DATA, ...enclosed), der(0xa0, ...certificates), der(0x31, signerInfo)];
  return der(0x30, SIGNED_DATA, der(0xa0, der(0x30, ...body)));
}

const SHA256 = der(0x30, oid('608648016503040201'));
const ECDSA_SHA256 = der(0x30, oid('2a8648ce3d040302'));

/**
 * The PKCS #7 signature of a JAR signature file, without signed attributes. A certificate of the issuer comes first.
 * @param issuer the name of the issuer, by which the certificate is found.
 */
export function jarBlock(signed: Buffer, signer: Buffer, issuer: Buffer): Buffer {
  const { signature } = signWithKey(signed);
  const serial = integer(Number(new X509Certificate(signer).serialNumber));
  const info = der(0x30, integer(1), der(0x30, issuer, serial), SHA256, ECDSA_SHA256, octets(signature));
  const certificates = der(0xa0, certificate({ CN: 'Issuer' }, 9), signer);
  const body = [integer(1), der(0x31, SHA256), der(0x30, DATA), certificates, der(0x31, info)];
  return der(0x30, SIGNED_DATA, der(0xa0, der(0x30, ...body)));
}

/** A primitive OCTET STRING. */
export const octets = (bytes: Buffer): Buffer => der(0x04, bytes);

/** A constructed OCTET STRING of indefinite length, as BER allows. */
export const octetsInPieces = (bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0x24, 0x80]),
    ...Array.from({ length: Math.ceil(bytes.length / 100) }, (_, at) =>
      octets(bytes.subarray(at * 100, at * 100 + 100)),
    ),
    Buffer.from([0, 0]),
  ]);
