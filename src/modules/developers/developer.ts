/** A person with a login. */
export interface Developer {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly emailVerified: boolean;
  readonly createdAt: Date;
}

/** How two e-mail addresses are told apart: composed the same way (NFC), case folded. Plus-addresses stay distinct. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase();

/** How long a mailed link lives (contract §3). */
export const LINK_HOURS = { verify_email: 24, reset_password: 1, change_email: 1 } as const;
