import { type FileHandle, open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { type BuildResponse, type Client, type Platform, type ServiceResponse } from '@agate/client';
import { type ProjectScope } from '../settings/scope';
import { type Check, failed, ok, skipped, warning } from './check';

const PLATFORM_OF: Readonly<Record<string, Platform>> = { '.ipa': 'ios', '.apk': 'android', '.aab': 'android' };
const MB = 1_000_000;

/** The known facts about the builds of the project. */
interface Expected {
  readonly service: ServiceResponse;
  /** The bundle id of the project by platform. Null when it is unknown. */
  readonly bundleIdOf: (platform: Platform) => Promise<string | null>;
}

/** Whether a file will be accepted: its kind, its size and its app. */
export async function fileChecks(path: string, { service, bundleIdOf }: Expected): Promise<Check[]> {
  const kind = extname(path).toLowerCase();
  const file = await open(path).catch((error: Error) => error);
  if (file instanceof Error) return [failed('file', `${path} cannot be read: ${file.message}`, 'Correct the path.')];
  try {
    const { size } = await file.stat();
    const first = sizeCheck(path, size, service);
    if (first.state === 'failed') return [first];
    const platform = PLATFORM_OF[kind];
    if (!platform) return [first, unreadableKind(kind)];
    return [first, await appCheck(file, kind, await bundleIdOf(platform))];
  } finally {
    await file.close();
  }
}

function sizeCheck(path: string, size: number, { max_upload_bytes: max }: ServiceResponse): Check {
  const name = basename(path);
  if (size === 0) return failed('file', `${name} is empty.`, 'Check the step that makes it.');
  if (size <= max)
    return ok('file', `${name} has ${(size / MB).toFixed(1)} MB, of at most ${Math.floor(max / MB)} MB.`);
  return failed(
    'file',
    `${name} has ${(size / MB).toFixed(1)} MB. The service accepts at most ${Math.floor(max / MB)} MB.`,
    'Have the operator raise MAX_UPLOAD_BYTES, or make the file smaller.',
  );
}

const unreadableKind = (kind: string): Check =>
  warning(
    'app',
    `Files of the kind "${kind}" say nothing about their app.`,
    'Use agate upload with --version and --platform.',
  );

async function appCheck(file: FileHandle, kind: string, bundleId: string | null): Promise<Check> {
  let manifest;
  try {
    manifest = await readZipEntry(file, MANIFESTS[kind]!);
  } catch (error) {
    return failed('app', `The file is damaged: it has ${(error as Error).message}.`, 'Make the file again.');
  }
  if (!manifest)
    return failed('app', `The file is not a valid ${kind}: it contains no app.`, 'Check the step that makes it.');
  if (bundleId === null) return skipped('app', 'The project accepts any app of this platform so far.');
  if (containsValue(manifest, bundleId)) return ok('app', `The file contains ${bundleId}, the app of the project.`);
  return failed(
    'app',
    `The file is of another app than ${bundleId}, the app of the project.`,
    'Upload it to another project, or let this one accept any bundle id.',
  );
}

/** The bundle id that a project accepts for a platform. Null when it accepts any, or has no build yet. */
export async function bundleIdOf(
  client: Client,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  scope: ProjectScope,
  platform: Platform,
): Promise<string | null> {
  const path = { project_id: projectId };
  const project = await client.request('GET /projects/{project_id}', {
    path,
    query: { organization_id: organizationId },
  });
  if (project.allow_any_bundle_id) return null;
  const { items } = await client.request('GET /builds', { query: { ...scope, platform, limit: 1 } });
  const newest: BuildResponse | undefined = items[0];
  return newest?.app.bundle_id ?? null;
}

/** The file in each kind of artifact that names its app. */
const MANIFESTS: Readonly<Record<string, RegExp>> = {
  '.ipa': /^Payload\/[^/]+\.app\/Info\.plist$/,
  '.apk': /^AndroidManifest\.xml$/,
  '.aab': /^base\/manifest\/AndroidManifest\.xml$/,
};

/**
 * Whether a manifest contains a text as a whole value: in a property list, binary or not, in Android's binary XML, or in a protocol
 * buffer. The id of an app may be the beginning of another id.
 */
function containsValue(manifest: Buffer, value: string): boolean {
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

const MAX_END_BYTES = 65_557;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const DEFLATED = 8;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;

/** Reads the first entry of a ZIP file whose name matches. Null when no name matches. @throws when the file is not a complete ZIP file. */
async function readZipEntry(file: FileHandle, pattern: RegExp): Promise<Buffer | null> {
  const { size } = await file.stat();
  const end = await read(file, Math.max(0, size - MAX_END_BYTES), Math.min(size, MAX_END_BYTES));
  const at = end.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (at < 0 || at + END_BYTES > end.length || end.readUInt32LE(at) !== END_SIGNATURE)
    throw new Error('no end of a ZIP file');
  const length = end.readUInt32LE(at + 12);
  if (length > MAX_DIRECTORY_BYTES) throw new Error('too many entries');
  const directory = await read(file, end.readUInt32LE(at + 16), length);
  for (let offset = 0; offset + ENTRY_BYTES <= directory.length;) {
    if (directory.readUInt32LE(offset) !== ENTRY_SIGNATURE) throw new Error('a damaged directory');
    const nameLength = directory.readUInt16LE(offset + 28);
    const name = directory.toString('utf8', offset + ENTRY_BYTES, offset + ENTRY_BYTES + nameLength);
    if (pattern.test(name)) return contentOf(file, directory.subarray(offset));
    offset += ENTRY_BYTES + nameLength + directory.readUInt16LE(offset + 30) + directory.readUInt16LE(offset + 32);
  }
  return null;
}

async function contentOf(file: FileHandle, entry: Buffer): Promise<Buffer> {
  const compressedLength = entry.readUInt32LE(20);
  if (Math.max(compressedLength, entry.readUInt32LE(24)) > MAX_ENTRY_BYTES)
    throw new Error('an entry that is too large');
  const start = entry.readUInt32LE(42);
  const local = await read(file, start, LOCAL_BYTES);
  const from = start + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  const compressed = await read(file, from, compressedLength);
  return entry.readUInt16LE(10) === DEFLATED
    ? inflateRawSync(compressed, { maxOutputLength: MAX_ENTRY_BYTES })
    : compressed;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('an incomplete file');
  return buffer;
}
