import { type ProjectScope } from '#kernel/context/scope';

/** The people who can use a link. The values are explained in the OpenAPI document. */
export const LINK_ACCESS = ['open', 'password', 'sign_in', 'members'] as const;
export type LinkAccess = (typeof LINK_ACCESS)[number];

/** The rules of a link. They apply to the page of the link and to everything below it. */
export interface LinkRule extends ProjectScope {
  readonly linkId: string;
  readonly access: LinkAccess;
  /** Null unless `access` is `password`. */
  readonly passwordHash: string | null;
  readonly expiresAt: Date | null;
  readonly maxDownloads: number | null;
  /** The downloads since the link first had a rule. */
  readonly usedDownloads: number;
  /** The version of the terms to accept, null when there are none. */
  readonly termsVersion: number | null;
  /** Each change of the rules raises it, which ends the grants of the version before. */
  readonly version: number;
}

/** Whether anything restricts a link with these rules. */
export const restricts = ({ access, expiresAt, maxDownloads, termsVersion }: LinkRule): boolean =>
  access !== 'open' || expiresAt !== null || maxDownloads !== null || termsVersion !== null;

/** Whether only visitors with a grant see what a link with these rules opens. */
export const needsGrant = ({ access, termsVersion }: LinkRule): boolean => access !== 'open' || termsVersion !== null;

/**
 * The password of a link in the form in which it is hashed: people type it on other devices than the one it was chosen on, which may
 * compose accents in another way (RFC 8265, section 4.2.2).
 */
export const normalizedPassword = (password: string): string => password.normalize('NFC');

/** The state of a link. The page of a link that is not `live` is the page of an unknown link. */
export const LINK_STATES = ['live', 'expired', 'used_up'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export function stateOf(rule: LinkRule | null, now: Date): LinkState {
  if (rule?.expiresAt && rule.expiresAt <= now) return 'expired';
  return rule && rule.maxDownloads !== null && rule.usedDownloads >= rule.maxDownloads ? 'used_up' : 'live';
}
