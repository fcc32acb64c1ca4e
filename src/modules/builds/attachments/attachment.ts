import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { type ArtifactFile } from '../catalogue/build';

/** `update`: a package for the updater of the app. `blockmap`: the block map of a package, for downloads of differences. */
export const ATTACHMENT_KINDS = [
  'update',
  'blockmap',
  'dsym',
  'mapping',
  'native',
  'source_map',
  'sbom',
  'other',
] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

export const ARCHITECTURES = ['x64', 'arm64', 'ia32', 'universal'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** The maximum number of attachments of a build. */
export const MAX_ATTACHMENTS = 20;

/** A block map has about 30 bytes for each 16 KiB of its package. Updaters download it without charge, so it must be small. */
const MAX_BLOCKMAP_BYTES = 4 * 1024 * 1024;

/** What the uploader says about an attachment. */
export interface AttachmentDraft {
  readonly kind: AttachmentKind;
  /** Default: read from the file or its name. */
  readonly arch?: Architecture | undefined;
  /** The developer's signature of the file for the updater of the app. */
  readonly signature?: string | undefined;
  /** Hexadecimal hash of the file that the uploader has. */
  readonly sha256?: string | undefined;
}

/** A stored file that is to become an attachment. */
export interface NewAttachment extends ArtifactFile {
  /** 64 bytes. */
  readonly sha512: Buffer;
  /** The first bytes of the file, at least 20 unless it is shorter. */
  readonly head: Buffer;
}

/** A file beside the artifact of a build. */
export interface Attachment extends ProjectScope, ArtifactFile {
  readonly id: string;
  /** Null while the file waits for its deletion, because the build was deleted. */
  readonly buildId: string | null;
  readonly kind: AttachmentKind;
  /** Null when it is unknown, and for files that work on every architecture. */
  readonly arch: Architecture | null;
  readonly sha512: Buffer;
  readonly signature: string | null;
  readonly createdAt: Date;
}

/**
 * Checks that the content of a file is what its kind and name say.
 * @throws AppError invalid_input with reason `empty_file`, `wrong_type`, `blockmap_too_large` or `arch_mismatch`.
 */
export function requireContent(
  { fileName, sizeBytes, head }: Pick<NewAttachment, 'fileName' | 'sizeBytes' | 'head'>,
  { kind, arch }: AttachmentDraft,
): void {
  if (sizeBytes === 0) throw AppError.invalidInput('empty_file', 'The file is empty. Send the complete file.');
  if (kind === 'blockmap') requireBlockmap({ fileName, sizeBytes, head });
  if (/\.zip$/i.test(fileName) && !startsWith(head, ZIP)) throw wrongType('The file is not a zip archive.');
  const found = elfArchitecture(head);
  if (arch !== undefined && arch !== 'universal' && found !== null && found !== arch) {
    throw AppError.invalidInput('arch_mismatch', `This file is for ${found}, not for ${arch}.`);
  }
}

function requireBlockmap({ fileName, sizeBytes, head }: Pick<NewAttachment, 'fileName' | 'sizeBytes' | 'head'>): void {
  if (sizeBytes > MAX_BLOCKMAP_BYTES) {
    const message = 'A block map has at most 4 MiB. Send the file of electron-builder.';
    throw AppError.invalidInput('blockmap_too_large', message, { limit_bytes: MAX_BLOCKMAP_BYTES });
  }
  if (/\.blockmap$/i.test(fileName) && startsWith(head, GZIP)) return;
  throw wrongType('A block map is a gzip file whose name ends in .blockmap, as electron-builder writes it.');
}

/** The architecture of a file: what the uploader says, else that of its header, else the one in its name. Null when none says it. */
export const architectureOf = (
  { fileName, head }: Pick<NewAttachment, 'fileName' | 'head'>,
  { kind, arch }: AttachmentDraft,
): Architecture | null => arch ?? (kind === 'update' ? (elfArchitecture(head) ?? architectureInName(fileName)) : null);

const NAMES: readonly (readonly [RegExp, Architecture])[] = [
  [/(?:^|[^a-z0-9])universal(?:[^a-z0-9]|$)/i, 'universal'],
  [/(?:^|[^a-z0-9])(?:arm64|aarch64)(?:[^a-z0-9]|$)/i, 'arm64'],
  [/(?:^|[^a-z0-9])(?:x64|x86[_-]64|amd64)(?:[^a-z0-9]|$)/i, 'x64'],
  [/(?:^|[^a-z0-9])(?:ia32|i[36]86|x86)(?:[^a-z0-9]|$)/i, 'ia32'],
];

/** The architecture that a file name contains, in the words of electron-builder, Tauri and Debian. */
export const architectureInName = (fileName: string): Architecture | null =>
  NAMES.find(([pattern]) => pattern.test(fileName))?.[1] ?? null;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK');
const ELF = Buffer.from('\x7fELF');

/** `e_machine` of the ELF specification, which an AppImage has, too. */
const MACHINES: Readonly<Record<number, Architecture>> = { 3: 'ia32', 62: 'x64', 183: 'arm64' };
const MACHINE_OFFSET = 18;

function elfArchitecture(head: Buffer): Architecture | null {
  if (!startsWith(head, ELF) || head.length < MACHINE_OFFSET + 2) return null;
  return MACHINES[head.readUInt16LE(MACHINE_OFFSET)] ?? null;
}

const startsWith = (head: Buffer, magic: Buffer): boolean => head.subarray(0, magic.length).equals(magic);

const wrongType = (message: string): AppError => AppError.invalidInput('wrong_type', message);
