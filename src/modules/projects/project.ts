/** An app being distributed. Its name appears in install links and invitations. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Whether builds with any bundle id are accepted; else the first of each platform pins it. */
  readonly allowAnyBundleId: boolean;
  readonly createdAt: Date;
}
