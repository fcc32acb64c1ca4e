import { type ProjectScope } from '#kernel/context/scope';
import { type LinkAccess, type LinkRule } from '../rules/link-rule';
import { type LinkCounts } from './link-counts';

/** A link of a build or channel. Any number of people may have it. */
export interface Link extends ProjectScope {
  readonly id: string;
  /** Exactly one of the build and the channel is set. */
  readonly buildId: string | null;
  readonly channelId: string | null;
  readonly name: string | null;
  /** Whether the API shows it with its build or channel. Such a link cannot be deleted. */
  readonly isDefault: boolean;
  /** Null when the token cannot be decrypted. */
  readonly url: string | null;
  readonly rule: LinkRule | null;
  readonly terms: string | null;
  readonly counts: LinkCounts;
  readonly createdAt: Date;
}

/** The rules of a new link, or changes of the rules of a link. Absent fields stay unchanged, null removes a rule. */
export interface LinkRulesDraft {
  readonly access?: LinkAccess | undefined;
  readonly password?: string | null | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly maxDownloads?: number | null | undefined;
  readonly terms?: string | null | undefined;
}

export interface LinkDraft extends LinkRulesDraft {
  readonly buildId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly name: string;
}

export interface LinkChange extends LinkRulesDraft {
  readonly name?: string | null | undefined;
}
