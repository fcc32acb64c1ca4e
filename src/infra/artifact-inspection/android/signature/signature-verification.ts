import { type ZipArchive } from '../../formats/zip/zip-archive';
import { type AndroidScheme, type SignatureProblemCode, type SignatureVerification } from '../../inspected-artifact';
import { type WorkClock } from '../../limits/work-clock';
import { ATTRIBUTES, type BlockSigner, verifySigners } from './block-signers';
import { type ContentDigests } from './content-digests';
import { JarSignature } from './jar/jar-signature';
import { combineLineages } from './lineage';
import { BrokenSignature, UncheckedSignature } from './signature-problem';
import { type SigningBlock } from './signing-block';
import { PAGE_BYTES } from './verity-tree';

/** The first API level that verifies each scheme. Older devices ignore it. */
const SINCE = { v2: 24, v3: 28, 'v3.1': 33 } as const;
/** From this target API level on, devices require scheme v2 or newer. */
const V2_TARGET = 30;
const ANY_SDK = 0x7fffffff;

/** A signed package as its verification needs it. */
export interface SignedPackage {
  readonly schemes: readonly AndroidScheme[];
  readonly block: SigningBlock | null;
  readonly minSdk: number;
  readonly targetSdk: number;
  readonly zip: ZipArchive;
  /** `null` when devices do not support archives of this kind. */
  readonly digests: ContentDigests | null;
  readonly clock: WorkClock;
}

/** The verdict, and the certificate of the newest scheme that verified, in DER. `null` when none did. */
export interface VerifiedSignatures {
  readonly verification: SignatureVerification;
  readonly certificate: Buffer | null;
}

/**
 * Verifies the signatures of a package as all devices from its minimum API level on do: each device uses the newest scheme that it knows,
 * and rejects the package when that one does not verify. Some schemes may be left out because no device uses them.
 */
export const verifySignatures = (signed: SignedPackage): Promise<VerifiedSignatures> => new Verification(signed).run();

class Verification {
  /** The certificates of the schemes that verified, the one of the newest devices first. */
  private readonly certificates = new Map<AndroidScheme, readonly Buffer[]>();
  private readonly signers = new Map<AndroidScheme, readonly BlockSigner[]>();
  /** The first of each kind, in the order of the checks: from the newest scheme to the oldest. */
  private broken: BrokenSignature | null = null;
  private unchecked: UncheckedSignature | null = null;

  constructor(private readonly signed: SignedPackage) {}

  async run(): Promise<VerifiedSignatures> {
    if (this.signed.schemes.length > 0) await this.verifyAll();
    const verifiedSchemes = this.signed.schemes.filter((scheme) => this.certificates.has(scheme));
    const newest = verifiedSchemes.at(-1);
    const problem = this.broken ?? this.unchecked;
    return {
      verification: {
        verified: this.broken ? false : this.unchecked || !newest ? null : true,
        verifiedSchemes,
        problem: problem && { scheme: problem.scheme, code: problem.code },
      },
      certificate: (newest && this.certificates.get(newest)?.[0]) ?? null,
    };
  }

  private async verifyAll(): Promise<void> {
    const { minSdk, targetSdk, schemes } = this.signed;
    await this.check('v3.1', () => this.verifyBlock('v3.1'));
    if (minSdk < (this.rotatedSince() ?? ANY_SDK)) {
      await this.check('v3', () => this.verifyBlock('v3'));
      if (this.hasFound('v3.1') && !this.hasFound('v3')) this.reject('v3', 'missing');
    }
    if (minSdk < SINCE.v3 || !this.hasFound('v3', 'v3.1')) await this.check('v2', () => this.verifyBlock('v2'));
    const isJarNeeded = minSdk < SINCE.v2 || !this.hasFound('v2', 'v3', 'v3.1');
    if (isJarNeeded) await this.check('v1', () => this.verifyJar());
    this.requireSameSigners();
    const isTooOld = schemes.every((scheme) => scheme === 'v1') && targetSdk >= V2_TARGET;
    if (isTooOld) this.reject('v1', 'newer_scheme_required');
  }

  /** The other schemes are checked in any case, because other devices use them. */
  private async check(scheme: AndroidScheme, verify: () => Promise<readonly Buffer[]>): Promise<void> {
    if (scheme !== 'v1' && !this.hasFound(scheme)) return;
    try {
      this.certificates.set(scheme, await verify());
    } catch (error) {
      if (error instanceof UncheckedSignature) this.unchecked ??= error;
      else if (error instanceof BrokenSignature) this.broken ??= error;
      // A field that is too short for its type.
      else if (error instanceof RangeError) this.reject(scheme, 'malformed');
      else throw error;
    }
  }

  private reject(scheme: AndroidScheme, code: SignatureProblemCode): void {
    this.broken ??= new BrokenSignature(scheme, code);
  }

  /** Whether the package has a signature of one of the schemes. */
  private hasFound(...schemes: readonly AndroidScheme[]): boolean {
    return schemes.some((scheme) => this.signed.block?.signatures.has(scheme));
  }

  private async verifyBlock(scheme: 'v2' | 'v3' | 'v3.1'): Promise<readonly Buffer[]> {
    const { block, minSdk, clock } = this.signed;
    const signers = verifySigners({ scheme, minSdk, clock }, block?.signatures.get(scheme) as Buffer);
    if (scheme === 'v2') this.requireNewerScheme(signers);
    if (scheme === 'v3') this.requireRotation(signers);
    await this.requireContents(scheme, signers);
    if (scheme !== 'v2') this.requireRange(scheme, signers);
    this.signers.set(scheme, signers);
    return signers.toSorted((a, b) => b.maxSdk - a.maxSdk).map(({ certificate }) => certificate);
  }

  private async requireContents(scheme: AndroidScheme, signers: readonly BlockSigner[]): Promise<void> {
    const { block, digests, zip } = this.signed;
    if (!digests) throw new BrokenSignature(scheme, 'unsupported_archive');
    const expected = signers.flatMap((signer) => signer.digests);
    // Trees of fs-verity need whole pages around the block.
    const isAligned = [block?.offset ?? 0, zip.directoryOffset].every((offset) => offset % PAGE_BYTES === 0);
    if (!isAligned && expected.some(({ name }) => name === 'verity')) throw new BrokenSignature(scheme, 'malformed');
    for (const { name, value } of expected) {
      const actual = await digests.of(name);
      if (!actual) throw new UncheckedSignature(scheme);
      if (!actual.equals(value)) throw new BrokenSignature(scheme, 'content_changed');
    }
  }

  /** A v2 signature that announces v3 is for old devices. If v3 is missing, an attacker removed it. */
  private requireNewerScheme(signers: readonly BlockSigner[]): void {
    const isAnnounced = signers.some(({ attributes }) => attributes.get(ATTRIBUTES.newerScheme)?.readUInt32LE(0) === 3);
    if (isAnnounced && !this.hasFound('v3')) throw new BrokenSignature('v2', 'scheme_removed');
  }

  /** A v3 signature with an API level for the rotation is for devices below that level. Newer devices need v3.1. */
  private requireRotation(signers: readonly BlockSigner[]): void {
    if (this.isRotationUnknown) return;
    const announced = signers.map(({ attributes }) => attributes.get(ATTRIBUTES.rotationMinSdk)?.readUInt32LE(0));
    const since = this.rotatedSince();
    const isWrong = announced.some((level) => level !== undefined && level !== since);
    if (isWrong) throw new BrokenSignature('v3', 'scheme_removed');
  }

  /** Whether v3.1 did not verify. v3 is then judged for the devices that do not know v3.1. */
  private get isRotationUnknown(): boolean {
    return this.hasFound('v3.1') && !this.signers.has('v3.1');
  }

  /** The lowest API level of v3.1. `null` without v3.1. */
  private rotatedSince(): number | null {
    const levels = (this.signers.get('v3.1') ?? []).map(({ minSdk }) => minSdk);
    return levels.length > 0 ? Math.min(...levels) : null;
  }

  /** The signers must cover all API levels, each once, with lineages that only grow. */
  private requireRange(scheme: 'v3' | 'v3.1', signers: readonly BlockSigner[]): void {
    const sorted = signers.toSorted((a, b) => a.minSdk - b.minSdk);
    const hasGap = sorted.some(({ minSdk }, at) => at > 0 && minSdk !== (sorted[at - 1]?.maxSdk ?? 0) + 1);
    if (hasGap || !this.coversDevices(scheme, sorted)) throw new BrokenSignature(scheme, 'malformed');
    const lineages = sorted.flatMap(({ lineage }) => (lineage ? [lineage] : []));
    const shrinks = lineages.some(({ length }, at) => at > 0 && length < (lineages[at - 1]?.length ?? 0));
    if (shrinks || combineLineages(lineages) === null) throw new BrokenSignature(scheme, 'lineage_invalid');
  }

  /** @param sorted the signers by API level. */
  private coversDevices(scheme: 'v3' | 'v3.1', sorted: readonly BlockSigner[]): boolean {
    const rotatedSince = scheme === 'v3.1' ? null : this.isRotationUnknown ? SINCE['v3.1'] : this.rotatedSince();
    const last = rotatedSince === null ? ANY_SDK : rotatedSince - 1;
    // v3.1 may begin later than the first API level that knows it: older devices then use v3.
    const first = scheme === 'v3' ? Math.max(this.signed.minSdk, SINCE.v3) : ANY_SDK;
    return (sorted[0]?.minSdk ?? ANY_SDK) <= first && (sorted.at(-1)?.maxSdk ?? 0) >= last;
  }

  private async verifyJar(): Promise<readonly Buffer[]> {
    const { zip, minSdk, clock, block } = this.signed;
    const present = new Set(block?.signatures.keys());
    const signers = await new JarSignature(zip, minSdk, clock).verify(present);
    // Newer devices accept it.
    if (signers.some(({ since }) => since > minSdk)) this.reject('v1', 'algorithm_unknown');
    return signers.map(({ certificate }) => certificate);
  }

  /** Devices of every API level must see the same signer. After a key rotation, the older schemes have the oldest certificate. */
  private requireSameSigners(): void {
    const certificatesOf = (scheme: AndroidScheme): readonly Buffer[] => this.certificates.get(scheme) ?? [];
    const [jar, v2, v3] = [certificatesOf('v1'), certificatesOf('v2'), certificatesOf('v3')];
    if (jar.length > 0 && v2.length > 0 && !hasSame(jar, v2)) return this.reject('v1', 'signers_differ');
    const old = jar.length > 0 ? jar : v2;
    if (v3.length === 0 || old.length === 0) return;
    const oldest = this.oldestCertificate() ?? (v3.length === 1 ? v3[0] : undefined);
    if (!oldest || !hasSame(old, [oldest])) this.reject('v3', 'signers_differ');
  }

  /** The first certificate of the lineage. `undefined` when the key was never changed. */
  private oldestCertificate(): Buffer | undefined {
    const signers = [...(this.signers.get('v3') ?? []), ...(this.signers.get('v3.1') ?? [])];
    return combineLineages(signers.flatMap(({ lineage }) => (lineage ? [lineage] : [])))?.[0];
  }
}

const hasSame = (some: readonly Buffer[], others: readonly Buffer[]): boolean =>
  some.length === others.length && some.every((each) => others.some((other) => other.equals(each)));
