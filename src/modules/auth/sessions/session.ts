/** One login of a developer, as its owner sees it. */
export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  /** The time of the last refresh. Null when there was none. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
  /** The IP address of the login. Null for a session that an earlier release started. */
  readonly address: string | null;
  /** The `User-Agent` header of the login. Null when there was none. */
  readonly userAgent: string | null;
}
