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

/** A signature that this service does not check: its algorithm is not implemented, or checking it takes too much work. */
export class UncheckedSignature extends Error {
  constructor(
    readonly scheme: AndroidScheme,
    readonly code: 'algorithm_not_checked' | 'too_large_to_check',
  ) {
    super(`${scheme}: ${code}`);
  }
}
