/** How many testers got from the mail about a build to its download, each count part of the one before, and how many apps run it. */
export interface BuildFunnel {
  readonly mailed: number;
  readonly opened: number;
  readonly downloaded: number;
  /** Installations that reported to run the build, of any person. */
  readonly running: number;
}
