import { type Language } from '#kernel/text/language';

/** A person with a login. */
export interface Developer {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly emailVerified: boolean;
  /** The language of the account's mails. */
  readonly language: Language;
  readonly createdAt: Date;
}
