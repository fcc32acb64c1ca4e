import { AppError } from '#kernel/errors/app-error';
import { CmsMismatch, verifyCmsSignature } from '../../formats/cms/cms-signature';
import { readPlist } from '../../formats/plist/plist';
import { type PlistDict } from '../../formats/plist/plist-value';
import { type CodeCheck, type CodeProblem, type CodeProblemCode } from '../../inspected-artifact';
import { type WorkBudget } from '../../limits/work-budget';
import { type Executable, type ExecutableSlice } from '../executable/executable';
import { CPU } from '../executable/macho-head';
import { type Provisioning } from '../provisioning-profile';
import { notGranted } from './entitlements';
import { type CodeSignature, contentOf, readCodeSignature, SLOT } from './super-blob';

/** A bundle with its executable, as its signature is judged. */
export interface SignedCode {
  /** `null` for the app itself. */
  readonly bundle: string | null;
  readonly executable: Executable;
  readonly bundleId: string | null;
  /** The Info.plist. `null` for a library without a bundle. */
  readonly info: Buffer | null;
  /** `_CodeSignature/CodeResources`; empty when the bundle has none, `null` when it was not read. */
  readonly codeResources: Buffer | null;
  /** The profile that must grant what the signature claims. `null` when it is unknown. */
  readonly provisioning: Provisioning | null;
  /** Whether the bundle has a profile of its own, as programs have and frameworks do not. */
  readonly isProgram: boolean;
}

/** What the signature of one bundle says. */
export interface CodeVerdict {
  readonly checks: ReadonlySet<CodeCheck>;
  readonly problems: readonly CodeProblem[];
  /** The certificate of the signer, in DER, if its signature is valid. */
  readonly certificate: Buffer | null;
}

/** Judges the code signatures of a bundle. What cannot be read counts as not checked. */
export const judgeCode = (code: SignedCode, budget: WorkBudget): CodeVerdict => new CodeJudge(code, budget).run();

class CodeJudge {
  private readonly checks = new Set<CodeCheck>();
  private readonly problems: CodeProblem[] = [];
  private certificate: Buffer | null = null;

  constructor(
    private readonly code: SignedCode,
    private readonly budget: WorkBudget,
  ) {}

  run(): CodeVerdict {
    for (const slice of this.code.executable) {
      const { head } = slice;
      const isForDevices = head.isLoaded && (head.cpu === CPU.arm64 || head.cpu === CPU.arm);
      // One architecture with a problem suffices: signers treat all alike.
      if (isForDevices && this.problems.length === 0) this.judgeSlice(slice);
    }
    return { checks: this.checks, problems: this.problems, certificate: this.certificate };
  }

  private judgeSlice({ head, signature }: ExecutableSlice): void {
    if (head.isEncrypted) return this.add('encrypted');
    if (!head.signature) return head.isComplete ? this.add('unsigned') : undefined;
    const read = signature && attempt(() => readCodeSignature(signature, this.budget));
    if (!read) return;
    // Without a certificate, the rest of a signature proves nothing.
    if (read.directories[0]?.isAdHoc) return this.add('ad_hoc');
    attempt(() => this.judgeSeals(read));
    this.judgeSigner(read);
    this.judgeClaims(read);
  }

  private judgeSeals({ directories, blobs }: CodeSignature): void {
    const { info, codeResources } = this.code;
    const compare = (slot: number, content: Buffer, check: CodeCheck, problem: CodeProblemCode): void => {
      const results = directories.map(({ seals }) => seals(slot, content));
      if (results.includes(false)) this.add(problem);
      else if (results.includes(true)) this.checks.add(check);
    };
    if (info) compare(SLOT.info, info, 'info_plist', 'info_changed');
    if (codeResources) compare(SLOT.resources, codeResources, 'code_resources', 'code_resources_changed');
    for (const slot of [SLOT.entitlements, SLOT.derEntitlements]) {
      const blob = blobs.get(slot);
      if (blob) compare(slot, blob, 'entitlements', 'entitlements_changed');
    }
  }

  private judgeSigner({ directories, cms }: CodeSignature): void {
    const [first] = directories;
    if (!first || !cms) return;
    try {
      this.budget.countUnpacked(first.raw.length);
      this.certificate = verifyCmsSignature(cms, first.raw, this.budget).certificate;
      this.checks.add('signer');
    } catch (error) {
      const isBroken = error instanceof CmsMismatch && error.code === 'signature_invalid';
      if (isBroken) this.add('signature_invalid');
    }
  }

  /** Compares the signature with the bundle and with its profile. */
  private judgeClaims(signature: CodeSignature): void {
    const { bundleId, provisioning, isProgram } = this.code;
    const identifier = signature.directories[0]?.identifier;
    const isOther = isProgram && bundleId !== null && identifier !== bundleId;
    if (isOther && identifier) this.add('other_identifier', identifier);
    if (!provisioning) return;
    this.judgeCertificate(provisioning);
    if (isProgram) this.judgeEntitlements(signature, provisioning);
  }

  private judgeCertificate({ certificates }: Provisioning): void {
    const { certificate } = this;
    if (!certificate || certificates.length === 0) return;
    this.checks.add('certificate');
    if (!certificates.some((each) => certificate.equals(each))) this.add('certificate_not_in_profile');
  }

  private judgeEntitlements({ blobs }: CodeSignature, { granted }: Provisioning): void {
    const blob = blobs.get(SLOT.entitlements);
    const signed = blob && granted.size > 0 ? this.entitlementsIn(blob) : null;
    for (const key of signed ? notGranted(signed, granted) : []) this.add('entitlement_not_granted', key);
  }

  private entitlementsIn(blob: Buffer): PlistDict | null {
    return attempt(() => readPlist(contentOf(blob), this.budget));
  }

  private add(code: CodeProblemCode, subject: string | null = null): void {
    this.problems.push({ code, bundle: this.code.bundle, subject });
  }
}

/** Runs a parser of data that is only advice: whatever it throws means that the data was not checked. */
export function attempt<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    const isOfFile = !(error instanceof AppError) || error.errorCase === 'invalid_input';
    if (isOfFile) return null;
    throw error;
  }
}
