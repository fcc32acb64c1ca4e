import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import * as der from './der';

/** Somebody who can sign, and the certificate that says so. */
export interface Signer {
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** X.509 in DER. */
  readonly certificate: Buffer;
}

const VALID_YEARS = 30;

/** Makes a new P-256 key and its self-signed X.509 version 3 certificate (RFC 5280), as app developers use to sign. */
export function makeSigner(commonName: string, validFrom: Date): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));
  const name = der.sequence(der.setOf(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName))));
  const validTo = new Date(validFrom);
  validTo.setUTCFullYear(validFrom.getUTCFullYear() + VALID_YEARS);
  const toBeSigned = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    name,
    der.sequence(der.time(validFrom), der.time(validTo)),
    name,
    spki,
  );
  const signature = der.bitString(sign('sha256', toBeSigned, privateKey));
  return { privateKey, publicKey: spki, certificate: der.sequence(toBeSigned, ecdsaWithSha256, signature) };
}
