import { createHash } from 'node:crypto';
import { jarBlock } from '../der-writer';
import { type ZipFile } from '../zip-writer';

const digestOf = (data: Buffer | string): string => createHash('sha256').update(data).digest('base64');

/** The files of the v1 signature of a package, the JAR signature. @param signer its certificate and the name of its issuer. */
export function signJar(
  files: readonly ZipFile[],
  signer: { readonly certificate: Buffer; readonly issuer: Buffer },
  newerSchemes: readonly string[],
): ZipFile[] {
  const sections = files.map(({ name, data }) => ({
    name: String(name),
    text: `Name: ${String(name)}\r\nSHA-256-Digest: ${digestOf(data)}\r\n\r\n`,
  }));
  const manifest = `Manifest-Version: 1.0\r\n\r\n${sections.map(({ text }) => text).join('')}`;
  const announced = newerSchemes.length > 0 ? `X-Android-APK-Signed: ${newerSchemes.join(', ')}\r\n` : '';
  const signature = [
    `Signature-Version: 1.0\r\nSHA-256-Digest-Manifest: ${digestOf(manifest)}\r\n${announced}\r\n`,
    ...sections.map(({ name, text }) => `Name: ${name}\r\nSHA-256-Digest: ${digestOf(text)}\r\n\r\n`),
  ].join('');
  return [
    { name: 'META-INF/MANIFEST.MF', data: manifest },
    { name: 'META-INF/CERT.SF', data: signature },
    { name: 'META-INF/CERT.EC', data: jarBlock(Buffer.from(signature), signer.certificate, signer.issuer) },
  ];
}
