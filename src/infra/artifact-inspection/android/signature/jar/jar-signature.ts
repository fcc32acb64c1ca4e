import { AppError } from '#kernel/errors/app-error';
import { CmsMismatch, type CmsSigner, verifyCmsSignature } from '../../../formats/cms/cms-signature';
import { type ZipArchive, type ZipEntry } from '../../../formats/zip/zip-archive';
import { type AndroidScheme } from '../../../inspected-artifact';
import { LIMITS } from '../../../limits/limits';
import { type WorkClock } from '../../../limits/work-clock';
import { BrokenSignature, UncheckedSignature } from '../signature-problem';
import { digestsToCheck, isDigestOf } from './jar-digests';
import { type JarSection, readSections } from './jar-manifest';

const MANIFEST = 'META-INF/MANIFEST.MF';
const SIGNATURE_BLOCK = /^META-INF\/.*\.(RSA|DSA|EC)$/;
const MAX_SIGNERS = 10;
/** The numbers by which a `.SF` file says which newer schemes the package is also signed with. */
const NEWER_SCHEMES: Readonly<Record<string, AndroidScheme>> = { '2': 'v2', '3': 'v3', '31': 'v3.1' };
/** Rejections that say nothing about the signature. */
const LIMIT_REASONS: readonly unknown[] = ['too_complex', 'entry_too_large', 'compression_bomb'];

interface JarSigner extends CmsSigner {
  /** The files that it signed. */
  readonly names: ReadonlySet<string>;
}

const broken = (code: BrokenSignature['code'] = 'malformed'): BrokenSignature => new BrokenSignature('v1', code);

/** The signature of scheme v1, the JAR signature: the digest of each file is in a manifest, which is signed. */
export class JarSignature {
  private manifestBytes: Buffer = Buffer.alloc(0);
  private main: JarSection | undefined;
  private readonly sections = new Map<string, JarSection>();

  constructor(
    /** The manifest is read with a separate work budget. */
    private readonly zip: ZipArchive,
    private readonly minSdk: number,
    private readonly clock: WorkClock,
  ) {}

  /**
   * Verifies the signature and all files.
   * @param present the newer schemes of the package.
   * @returns the signers of all files.
   * @throws BrokenSignature, UncheckedSignature.
   */
  async verify(present: ReadonlySet<AndroidScheme>): Promise<readonly CmsSigner[]> {
    try {
      await this.readManifest();
      return await this.checkFiles(await this.signers(present));
    } catch (error) {
      if (error instanceof AppError && LIMIT_REASONS.includes(error.details['reason']))
        throw new UncheckedSignature('v1');
      if (error instanceof AppError && error.errorCase !== 'invalid_input') throw error;
      if (error instanceof BrokenSignature || error instanceof UncheckedSignature) throw error;
      throw error instanceof CmsMismatch ? broken(error.code) : broken();
    }
  }

  private async readManifest(): Promise<void> {
    if (new Set(this.zip.entries.map(({ name }) => name)).size < this.zip.entries.length) throw broken();
    const entry = this.zip.find(MANIFEST);
    if (!entry) throw broken('missing');
    this.manifestBytes = await this.zip.read(entry, LIMITS.jarManifestBytes);
    const [main, ...sections] = readSections(this.manifestBytes);
    this.main = main;
    for (const section of sections) {
      const name = section.attributes.get('name');
      if (name === undefined || this.sections.has(name)) throw broken();
      if (!this.zip.find(name)) throw broken('content_changed');
      this.sections.set(name, section);
    }
  }

  private async signers(present: ReadonlySet<AndroidScheme>): Promise<JarSigner[]> {
    const blocks = this.zip.entries.filter(({ name }) => SIGNATURE_BLOCK.test(name));
    const signers: JarSigner[] = [];
    for (const block of blocks.slice(0, MAX_SIGNERS)) {
      const file = this.zip.find(`${block.name.slice(0, block.name.lastIndexOf('.'))}.SF`);
      const signer = file && (await this.signer(block, file, present));
      if (signer) signers.push(signer);
    }
    if (signers.length === 0) throw broken('missing');
    return signers;
  }

  /** @returns null for a signature that devices ignore. */
  private async signer(
    block: ZipEntry,
    file: ZipEntry,
    present: ReadonlySet<AndroidScheme>,
  ): Promise<JarSigner | null> {
    const signed = await this.zip.read(file, LIMITS.jarManifestBytes);
    const bytes = await this.zip.read(block, LIMITS.signatureFileBytes);
    const verified = verifyCmsSignature(bytes, signed, this.zip.budget);
    const [main, ...sections] = readSections(signed);
    if (!main?.attributes.has('signature-version')) return null;
    requireNewerSchemes(main, present);
    const names = this.checkManifest(main, sections);
    return names && { ...verified, names };
  }

  /**
   * Compares the digests of the `.SF` file with the manifest: either the digest of the whole manifest matches, or the digests of all
   * sections do.
   */
  private checkManifest(main: JarSection, sections: readonly JarSection[]): Set<string> | null {
    const { manifestBytes, minSdk } = this;
    const whole = digestsToCheck(main, '-digest-manifest', minSdk);
    const isVerified = whole.length > 0 && whole.every((digest) => isDigestOf(manifestBytes, digest));
    const mainDigests = digestsToCheck(main, '-digest-manifest-main-attributes', minSdk);
    const mainBytes = this.main?.bytes ?? Buffer.alloc(0);
    if (!mainDigests.every((digest) => isDigestOf(mainBytes, digest))) throw broken('content_changed');
    const names = new Set<string>();
    for (const section of sections) {
      const name = section.attributes.get('name');
      if (name === undefined || names.has(name)) return null;
      names.add(name);
      if (!isVerified) this.checkSection(name, section);
    }
    return names;
  }

  private checkSection(name: string, signed: JarSection): void {
    const section = this.sections.get(name);
    const digests = digestsToCheck(signed, '-digest', this.minSdk);
    const isVerified = section && digests.length > 0 && digests.every((digest) => isDigestOf(section.bytes, digest));
    if (!isVerified) throw broken('content_changed');
  }

  /** Compares all files with the manifest. All must have the same signers. */
  private async checkFiles(signers: readonly JarSigner[]): Promise<readonly CmsSigner[]> {
    const files = this.zip.entries.filter(({ name }) => !name.startsWith('META-INF/') && !name.endsWith('/'));
    this.requireBoundedWork(files);
    const signersOf = ({ name }: ZipEntry): JarSigner[] => signers.filter(({ names }) => names.has(name));
    const [first] = files;
    const common = first ? signersOf(first) : [];
    if (common.length === 0) throw broken('content_changed');
    for (const file of files.toSorted((a, b) => a.headerOffset - b.headerOffset)) {
      const own = signersOf(file);
      if (own.length !== common.length || !own.every((signer) => common.includes(signer)))
        throw broken('content_changed');
      await this.checkFile(file);
    }
    return common;
  }

  private requireBoundedWork(files: readonly ZipEntry[]): void {
    const unpackedBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const packedBytes = files.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
    if (unpackedBytes > LIMITS.jarContentBytes || packedBytes > LIMITS.jarContentBytes)
      throw new UncheckedSignature('v1');
  }

  private async checkFile(file: ZipEntry): Promise<void> {
    if (this.clock.isOver) throw new UncheckedSignature('v1');
    const section = this.sections.get(file.name);
    const digests = section ? digestsToCheck(section, '-digest', this.minSdk) : [];
    const content = await this.contentOf(file);
    const isVerified = this.clock.measure(() => digests.every((digest) => isDigestOf(content, digest)));
    if (digests.length === 0 || !isVerified) throw broken('content_changed');
  }

  private async contentOf(file: ZipEntry): Promise<Buffer> {
    try {
      return await this.zip.read(file, LIMITS.jarFileBytes, this.clock);
    } catch (error) {
      if (error instanceof AppError && error.details['reason'] === 'corrupt_archive') throw broken('content_changed');
      throw error;
    }
  }
}

/**
 * A signature that announces newer schemes is for devices too old for those schemes. If the newer signatures are missing, an attacker
 * removed them.
 */
function requireNewerSchemes(main: JarSection, present: ReadonlySet<AndroidScheme>): void {
  const announced = (main.attributes.get('x-android-apk-signed') ?? '').split(',').map((id) => id.trim());
  for (const id of announced) {
    const scheme = NEWER_SCHEMES[id];
    if (scheme && !present.has(scheme)) throw broken('scheme_removed');
  }
}
