/** A person with a login. */
export interface Developer {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly emailVerified: boolean;
  readonly createdAt: Date;
}
