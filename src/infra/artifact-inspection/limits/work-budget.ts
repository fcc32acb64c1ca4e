import { inspectionError } from '../inspection-errors';
import { LIMITS } from './limits';

/**
 * The work that the inspection of one artifact may take. All readers of the artifact count in the same budget, so a file cannot multiply
 * the work by nesting, sharing or repeating what a limit of one reader allows.
 *
 * Each method throws `too_complex` when the budget is used up. `orNull` rethrows it, so the artifact is rejected.
 */
export class WorkBudget {
  private elements = 0;
  private textBytes = 0;
  private unpackedBytes = 0;

  constructor(private readonly limits: { readonly unpackedBytes: number } = LIMITS) {}

  /** Counts every visit of an element, reference, field or chunk, also a repeated one. */
  countElements(count = 1): void {
    this.elements += count;
    if (this.elements > LIMITS.elements) throw inspectionError('too_complex');
  }

  /** Counts texts and data that a reader takes from a file, once for every reference to them. */
  countText(bytes: number): void {
    this.textBytes += bytes;
    if (this.textBytes > LIMITS.textBytes) throw inspectionError('too_complex');
  }

  /** Counts bytes that are decompressed, decoded or copied. */
  countUnpacked(bytes: number): void {
    this.unpackedBytes += bytes;
    if (this.unpackedBytes > this.limits.unpackedBytes) throw inspectionError('too_complex');
  }
}
