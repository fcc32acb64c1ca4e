import { cleanText } from '#kernel/text/text';
import { type ArtifactSource } from '../../artifact-source';
import { readCertificate } from '../../formats/asn1/certificate';
import { readPlist } from '../../formats/plist/plist';
import { type PlistDict, textAt } from '../../formats/plist/plist-value';
import { BlockReader } from '../../formats/zip/block-reader';
import { asEntryName, type ZipArchive, type ZipEntry } from '../../formats/zip/zip-archive';
import { type CodeProblem, type IosCode, type NestedExpiry } from '../../inspected-artifact';
import { LIMITS } from '../../limits/limits';
import { WorkBudget } from '../../limits/work-budget';
import { type Executable, ExecutableReader } from '../executable/executable';
import { CPU } from '../executable/macho-head';
import { type Provisioning, readProvisioningProfile } from '../provisioning-profile';
import { attempt, type CodeVerdict, judgeCode, type SignedCode } from './code-judge';
import { compareResources } from './code-resources';
import { type NestedBundle, nestedBundles } from './nested-bundles';
import { profileProblems } from './nested-profile';

const RESOURCES = '_CodeSignature/CodeResources';
const PROFILE = 'embedded.mobileprovision';
const BLOCK_BYTES = 128 * 1024;

/** An app whose Info.plist, profile and executable were read. */
export interface AppBundle {
  /** The folder of the app in the archive, with its slash. */
  readonly folder: string;
  readonly bundleId: string;
  readonly info: Buffer;
  /** The name of the executable, in the form of {@link ZipEntry.name}. */
  readonly executableName: string;
  readonly executable: Executable;
  readonly provisioning: Provisioning;
}

/** The signatures of an app, and when the certificate of its signer expires. `null` when it was not read. */
export interface InspectedCode {
  readonly code: IosCode;
  readonly certificateExpiresAt: Date | null;
}

/**
 * Reads and judges the code signatures of an app and of the bundles inside it. Has a budget of its own: what exceeds it counts as not
 * checked, and does not reject the app.
 * @param source the whole file.
 * @param executables the reader of the app's executable, which reads the other programs, too.
 */
export async function inspectCode(
  zip: ZipArchive,
  source: ArtifactSource,
  app: AppBundle,
  executables: ExecutableReader,
): Promise<InspectedCode> {
  const limits = { blockBytes: BLOCK_BYTES, blocks: 64, fetchedBytes: LIMITS.nestedFetchedBytes };
  const budget = new WorkBudget();
  const readers = { programs: executables, libraries: new ExecutableReader(source, LIMITS.libraryBytes) };
  return new AppCode(zip.through(new BlockReader(source, limits), budget), budget, app, readers).run();
}

class AppCode {
  private readonly problems: CodeProblem[] = [];
  private readonly expiries: NestedExpiry[] = [];
  /** The files whose contents are compared with the seals of the app. */
  private readonly contents = new Map<string, Buffer>();
  private own: CodeVerdict | null = null;

  constructor(
    private readonly zip: ZipArchive,
    private readonly budget: WorkBudget,
    private readonly app: AppBundle,
    private readonly readers: { readonly programs: ExecutableReader; readonly libraries: ExecutableReader },
  ) {}

  async run(): Promise<InspectedCode> {
    const { executable, provisioning, bundleId, info } = this.app;
    this.judgeArchitectures(executable);
    const codeResources = await this.resourcesOf('');
    const isKnown = provisioning.signing.distribution !== 'unknown';
    const own = (this.own = this.judge({
      bundle: null,
      executable,
      bundleId,
      info,
      codeResources,
      provisioning: isKnown ? provisioning : null,
      isProgram: true,
    }));
    await this.read(PROFILE, LIMITS.profileBytes);
    for (const bundle of nestedBundles(this.zip.entries, this.app.folder)) await this.judgeNested(bundle);
    const checks = new Set(own.checks);
    if (codeResources && this.compareFiles(codeResources)) checks.add('files');
    const certificate = own.certificate && attempt(() => readCertificate(own.certificate!));
    return {
      code: {
        checks: [...checks],
        problems: this.problems.slice(0, LIMITS.codeProblems),
        expiries: this.expiries,
        certificate: certificate && { sha256: certificate.sha256, subject: certificate.subject },
      },
      certificateExpiresAt: certificate?.expiresAt ?? null,
    };
  }

  /** What the architectures say without a signature. */
  private judgeArchitectures(executable: Executable): void {
    const heads = executable.map(({ head }) => head).filter(({ isLoaded }) => isLoaded);
    if (heads.length === 0) return;
    const cpus: readonly number[] = heads.map(({ cpu }) => cpu);
    const add = (code: CodeProblem['code']) => this.problems.push({ code, bundle: null, subject: null });
    if (heads.every(({ isForSimulator }) => isForSimulator)) add('simulator');
    else if (!cpus.includes(CPU.arm64)) add(cpus.includes(CPU.arm) ? 'only_32_bit' : 'no_arm_code');
  }

  private judge(code: SignedCode): CodeVerdict {
    const verdict = judgeCode(code, this.budget);
    this.problems.push(
      ...verdict.problems.map(({ subject, ...problem }) => ({ ...problem, subject: subject && shown(subject) })),
    );
    return verdict;
  }

  private async judgeNested({ path, kind }: NestedBundle): Promise<void> {
    if (kind === 'library') return this.judgeLibrary(path);
    const info = await this.read(`${path}/Info.plist`, LIMITS.plistBytes);
    const plist = info && attempt(() => readPlist(info, this.budget));
    if (!plist) return;
    const bundle = bundleOf(path);
    const bundleId = textAt(plist, 'CFBundleIdentifier');
    const provisioning = kind === 'program' ? await this.judgeProfile(path, bundleId) : null;
    const verdict = this.judge({
      bundle,
      executable: await this.executableAt(`${path}/${executableNameOf(plist, path)}`, kind),
      bundleId,
      info,
      codeResources: await this.resourcesOf(`${path}/`),
      provisioning: provisioning ?? this.app.provisioning,
      isProgram: provisioning !== null,
    });
    if (kind === 'program') this.addExpiry(bundle, provisioning, verdict.certificate);
  }

  private async judgeLibrary(path: string): Promise<void> {
    this.judge({
      bundle: bundleOf(path),
      executable: await this.executableAt(path, 'library'),
      bundleId: null,
      info: null,
      codeResources: null,
      provisioning: this.app.provisioning,
      isProgram: false,
    });
  }

  private async executableAt(path: string, kind: NestedBundle['kind']): Promise<Executable> {
    const entry = this.find(path);
    const { programs, libraries } = this.readers;
    const reader = kind === 'framework' || kind === 'library' ? libraries : programs;
    return entry ? reader.read(entry) : [];
  }

  /** @returns the profile of a program inside the app. `null` without one, and when it cannot be read, which allows no statement. */
  private async judgeProfile(path: string, bundleId: string | null): Promise<Provisioning | null> {
    const bytes = await this.read(`${path}/${PROFILE}`, LIMITS.profileBytes);
    const read = bytes && attempt(() => readProvisioningProfile(bytes, this.budget));
    const provisioning = read?.signing.distribution === 'unknown' ? null : read;
    const isKnown = provisioning !== null || !this.find(`${path}/${PROFILE}`);
    for (const { code, subject } of isKnown && bundleId ? profileProblems(this.app, { bundleId, provisioning }) : [])
      this.problems.push({ code, bundle: bundleOf(path), subject: subject && shown(subject) });
    return provisioning;
  }

  private addExpiry(bundle: string, provisioning: Provisioning | null, certificate: Buffer | null): void {
    const profile = provisioning?.signing.expiresAt ?? null;
    // The certificate of the app is reported once, for the app.
    const isOther = certificate !== null && this.own?.certificate?.equals(certificate) !== true;
    const signer = (isOther && attempt(() => readCertificate(certificate))?.expiresAt) || null;
    if (!profile && !signer) return;
    this.expiries.push({ bundle, profile: isoOf(profile), certificate: isoOf(signer) });
  }

  /** @returns whether the files were compared. */
  private compareFiles(codeResources: Buffer): boolean {
    const { folder, executableName } = this.app;
    const executable = Buffer.from(executableName, 'latin1').toString('utf8');
    if (codeResources.length === 0 || codeResources.length > LIMITS.plistBytes) return false;
    const files = { entries: this.zip.entries, folder, executable };
    const difference = attempt(() => compareResources(codeResources, files, this.contents));
    if (!difference) return false;
    const { changed, missing, added } = difference;
    const add = (code: CodeProblem['code'], subject: string | null): void => {
      if (subject !== null) this.problems.push({ code, bundle: null, subject: shown(subject) });
    };
    add('file_changed', changed);
    add('file_missing', missing);
    add('file_added', added);
    return true;
  }

  /** The signed list of resources of a bundle: empty without one, `null` when it was not read. */
  private async resourcesOf(path: string): Promise<Buffer | null> {
    return this.find(path + RESOURCES) ? this.read(path + RESOURCES, LIMITS.codeResourcesBytes) : Buffer.alloc(0);
  }

  /** A file of the app. `null` when it is missing, too large, damaged or behind the limits. */
  private async read(path: string, limitBytes: number): Promise<Buffer | null> {
    const entry = this.find(path);
    if (!entry) return null;
    const bytes = await this.zip.readIfSmall(entry, limitBytes).catch(() => null);
    if (bytes) this.contents.set(Buffer.from(path, 'latin1').toString('utf8'), bytes);
    return bytes;
  }

  private find(path: string): ZipEntry | null {
    return this.zip.find(this.app.folder + path);
  }
}

const shown = (text: string): string => cleanText(text, LIMITS.nameLength);
/** @param path in the form of {@link ZipEntry.name}. */
const bundleOf = (path: string): string => shown(Buffer.from(path, 'latin1').toString('utf8'));
const isoOf = (date: Date | null): string | null => date && date.toISOString();

/** Without a name in the Info.plist, the executable is named as its bundle. */
const executableNameOf = (plist: PlistDict, path: string): string => {
  const name = textAt(plist, 'CFBundleExecutable');
  return name ? asEntryName(name) : (/([^/]+)\.[a-z]+$/.exec(path)?.[1] ?? '');
};
