import { type AndroidScheme, type SignatureProblemCode } from '../../inspected-artifact';

/** A signature that devices reject. */
export class BrokenSignature extends Error {
  constructor(
    readonly scheme: AndroidScheme,
    readonly code: SignatureProblemCode,
  ) {
    super(`${scheme}: ${code}`);
  }
}

/** A signature that this service does not check, because that takes too much work. */
export class UncheckedSignature extends Error {
  readonly code = 'too_large_to_check';

  constructor(readonly scheme: AndroidScheme) {
    super(`${scheme}: too_large_to_check`);
  }
}
