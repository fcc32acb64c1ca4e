/** How many testers got from the mail about a build to its download. Each count is part of the one before. */
export interface BuildFunnel {
  readonly mailed: number;
  readonly opened: number;
  readonly downloaded: number;
}
