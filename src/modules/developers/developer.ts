/** A person with a login. */
export interface Developer {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly emailVerified: boolean;
  readonly createdAt: Date;
}

/** How long a mailed link lives (contract §3). */
export const LINK_HOURS = { verify_email: 24, reset_password: 1, change_email: 1 } as const;
