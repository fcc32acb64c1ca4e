import { Injectable } from '@nestjs/common';
import { principalOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { knownTurn, PasswordHasher } from '#infra/crypto/password-hasher';
import { InstallLinksService } from '../install-links.service';
import { type LinkRulesDraft } from '../links/link';
import { type LinkRule, normalizedPassword } from './link-rule';
import { LinkRulesRepository } from './link-rules.repository';

const MAX_TERMS_BYTES = 10_240;

/** A change of the rules of a link whose password is hashed. */
export type CheckedRules = Omit<LinkRulesDraft, 'password'> & { readonly passwordHash: string | null };

/** Changes the rules of links. */
@Injectable()
export class LinkRuleChangesService {
  constructor(
    private readonly repository: LinkRulesRepository,
    private readonly passwords: PasswordHasher,
    private readonly installLinks: InstallLinksService,
  ) {}

  /**
   * Checks a change that does not depend on the present rules, and hashes its password. Called before a row is locked, because a hash takes
   * a while.
   * @throws AppError invalid_input
   */
  async check(ctx: RequestContext, { password, ...draft }: LinkRulesDraft): Promise<CheckedRules> {
    if (draft.expiresAt && draft.expiresAt <= ctx.clock.now())
      throw AppError.invalidInput('expires_in_the_past', 'The link must expire in the future.');
    if (draft.terms && Buffer.byteLength(draft.terms) > MAX_TERMS_BYTES)
      throw AppError.invalidInput('terms_too_long', `The terms have more than ${MAX_TERMS_BYTES} bytes (UTF-8).`);
    if (!password) return { ...draft, passwordHash: null };
    return {
      ...draft,
      passwordHash: await this.passwords.hash(normalizedPassword(password), knownTurn(principalOf(ctx.identity))),
    };
  }

  /**
   * Saves the changed rules of a link that the caller has locked.
   * @returns the rules, null when the link has none, and never had any.
   * @throws AppError invalid_input when the access needs a password and there is none, or a password that the access does not use.
   */
  async apply(
    tx: RequestContext,
    scope: ProjectScope & { readonly id: string },
    change: CheckedRules,
  ): Promise<LinkRule | null> {
    const before = await this.repository.find(tx, scope.id);
    const present: Rules = before ?? OPEN;
    const changed: Rules = {
      ...accessOf(change, present),
      expiresAt: change.expiresAt === undefined ? present.expiresAt : change.expiresAt,
      maxDownloads: change.maxDownloads === undefined ? present.maxDownloads : change.maxDownloads,
      termsVersion: await this.termsVersionOf(tx, scope, change.terms, present.termsVersion),
    };
    if (isSame(present, changed)) return before;
    const { usedDownloads, version } = before ?? { usedDownloads: 0, version: 0 };
    const rule = { ...scopeOf(scope), linkId: scope.id, ...changed, usedDownloads, version: version + 1 };
    // A download locks its ticket before the rules of its link.
    await this.installLinks.rulesChanging.run(tx, scope.id);
    await this.repository.save(tx, rule);
    return rule;
  }

  /** Another text is another version. The versions of a link are never used again, because acceptances name them. */
  private async termsVersionOf(
    tx: RequestContext,
    scope: ProjectScope & { readonly id: string },
    text: string | null | undefined,
    present: number | null,
  ): Promise<number | null> {
    if (text === undefined) return present;
    if (text === null) return null;
    if (present !== null && (await this.repository.findTerms(tx, scope.id, present)) === text) return present;
    const version = (await this.repository.newestTermsVersion(tx, scope.id)) + 1;
    const createdAt = tx.clock.now();
    await this.repository.insertTerms(tx, { ...scopeOf(scope), linkId: scope.id, version, text, createdAt });
    return version;
  }
}

type Rules = Pick<LinkRule, 'access' | 'passwordHash' | 'expiresAt' | 'maxDownloads' | 'termsVersion'>;

const OPEN: Rules = { access: 'open', passwordHash: null, expiresAt: null, maxDownloads: null, termsVersion: null };

const isSame = (a: Rules, b: Rules): boolean =>
  a.access === b.access &&
  a.passwordHash === b.passwordHash &&
  a.expiresAt?.getTime() === b.expiresAt?.getTime() &&
  a.maxDownloads === b.maxDownloads &&
  a.termsVersion === b.termsVersion;

/** @throws AppError invalid_input when the access needs a password and there is none, or a password that the access does not use. */
function accessOf(change: CheckedRules, present: Rules): Pick<LinkRule, 'access' | 'passwordHash'> {
  const access = change.access ?? present.access;
  if (access !== 'password') {
    if (change.passwordHash === null) return { access, passwordHash: null };
    throw AppError.invalidInput('password_not_used', 'Only a link with the access `password` has a password.');
  }
  const passwordHash = change.passwordHash ?? present.passwordHash;
  if (passwordHash !== null) return { access, passwordHash };
  throw AppError.invalidInput('password_required', 'A link with the access `password` needs a password.');
}
