import { type PatScope } from '#kernel/access/roles';

export interface PersonalAccessToken {
  readonly id: string;
  readonly organizationId: string;
  readonly developerId: string;
  readonly name: string;
  readonly scopes: readonly PatScope[];
  readonly last4: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A token with its value, which only the response of its creation or rotation contains. */
export interface NewPersonalAccessToken extends PersonalAccessToken {
  readonly token: string;
}
