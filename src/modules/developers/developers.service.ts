import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { emailKeyOf } from '#kernel/text/email-address';
import { DEFAULT_LANGUAGE, type Language } from '#kernel/text/language';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { type HashTurn, openTurn, PasswordHasher } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { SignUpPolicyService } from './account/sign-up-policy.service';
import { type DeveloperEntity } from './developer.entity';
import { DevelopersRepository, type IssueTime } from './developers.repository';
import { DeveloperLinksService } from './mailed-links/developer-links.service';

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

/** The account data that every request of a session is checked against. */
export interface SessionHolder {
  readonly developer: Developer;
  /** JWTs and sessions that were issued before this time are invalid. */
  readonly minIssuedAt: Date;
  /** The database's clock, by which tokens are issued and expire. */
  readonly now: Date;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A developer whose password was correct when it was checked. */
export interface AuthenticatedDeveloper extends Developer {
  readonly suspended: boolean;
  /** Locks the account until `tx` ends. Returns false when the password or the address has changed since the check. */
  readonly lockIfUnchanged: (tx: RequestContext) => Promise<boolean>;
}

interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  /** The language of the account's mails. Default: English. */
  readonly language?: Language;
}

/** Changes of the profile. Absent fields stay unchanged. A name of `null` removes the name. */
interface ProfileChange {
  readonly name?: string | null | undefined;
  readonly language?: Language | undefined;
}

@Injectable()
export class DevelopersService {
  /** Runs before an account is deleted, in the same transaction. An error keeps the account. */
  readonly deletion = new Hook<[tx: RequestContext, developerId: string]>();

  constructor(
    private readonly repository: DevelopersRepository,
    private readonly links: DeveloperLinksService,
    private readonly policy: SignUpPolicyService,
    private readonly passwords: PasswordHasher,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Creates an account, or mails the owner of the address if it already has one. An address that may not sign up gets neither. The caller
   * cannot tell which: the password is hashed and a job is enqueued in every case.
   */
  async signUp(ctx: RequestContext, signUp: SignUp): Promise<void> {
    const account = await this.newAccount(ctx, signUp);
    await this.transactions.run(ctx, async (tx) => {
      const created = (await this.policy.admits(tx, signUp.email)) && (await this.insert(tx, account));
      await this.links.request(tx, signUp.email, created ? 'verify_email' : 'already_registered');
    });
  }

  /**
   * Creates an account, also where `SIGN_UP` would reject the address, and mails a link to choose the password. For the operator of the
   * service.
   * @throws AppError already_exists
   */
  async invite(ctx: RequestContext, email: string): Promise<Developer> {
    const password = randomBytes(32).toString('base64url');
    const account = await this.newAccount(ctx, { email, password });
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.insert(tx, account)))
        throw new AppError('already_exists', { message: 'This address already has an account.' });
      const payload = { developer_id: account.id };
      await this.audit.record(tx, { type: 'developer.invited', organizationId: null, payload });
      await this.links.request(tx, email, 'invited');
    });
    return toDeveloper(account);
  }

  /**
   * Creates an account with a verified address and sends no mail. For the operator of the service.
   * @throws AppError already_exists
   */
  async createVerified(ctx: RequestContext, signUp: SignUp): Promise<Developer> {
    const account = { ...(await this.newAccount(ctx, signUp)), emailVerifiedAt: ctx.clock.now() };
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.insert(tx, account))) throw new AppError('already_exists');
    });
    return toDeveloper(account);
  }

  /**
   * Signs up a person whose address a mailed token has proved, and sends no mail. An unverified account of the address is deleted: it may
   * be another person's, who must not keep a session or a password of it.
   * @param then the rest of the work, in the same transaction.
   * @throws AppError already_exists when the address has another account (`hasLasting`); operation_not_allowed when `SIGN_UP` rejects it.
   */
  async signUpProven<T>(
    ctx: RequestContext,
    signUp: SignUp,
    then: (tx: RequestContext, developer: Developer) => Promise<T>,
  ): Promise<T> {
    if (!(await this.policy.admits(ctx, signUp.email))) throw signUpRejected();
    if (await this.hasLasting(ctx, signUp.email)) throw hasAccount();
    const account = { ...(await this.newAccount(ctx, signUp)), emailVerifiedAt: ctx.clock.now() };
    return this.transactions.run(ctx, async (tx) => {
      const former = await this.repository.findByEmail(tx, signUp.email);
      if (former && (await this.repository.lockUnverified(tx, former.id))) {
        if (await this.hasLasting(tx, signUp.email)) throw hasAccount();
        await this.delete(tx, former.id);
      }
      if (!(await this.insert(tx, account))) throw hasAccount();
      return then(tx, toDeveloper(account));
    });
  }

  /**
   * Whether an account of the address stays when a token proves the address: it has verified it, or the operator has suspended it.
   * Responses reveal it only to a client that has proved the address.
   */
  async hasLasting(ctx: RequestContext, email: string): Promise<boolean> {
    const account = await this.repository.findByEmail(ctx, email);
    return account !== null && (account.emailVerifiedAt !== null || account.suspendedAt !== null);
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, id: string): Promise<Developer> {
    const entity = await this.repository.findById(ctx, id);
    if (!entity) throw AppError.notFound('developer');
    return toDeveloper(entity);
  }

  /** Returns the developers that exist, keyed by id. Missing ids are skipped. */
  async findMany(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, Developer>> {
    const entities = await this.repository.findByIds(ctx, ids);
    return new Map(entities.map((entity) => [entity.id, toDeveloper(entity)]));
  }

  /** Null when the address has no account. Responses must not reveal the result: callers must not learn who has an account. */
  async findIdByEmail(ctx: RequestContext, email: string): Promise<string | null> {
    return (await this.repository.findByEmail(ctx, email))?.id ?? null;
  }

  /** Returns the language of the account with this address; English when there is none. Only for a mail to the address. */
  async languageOf(ctx: RequestContext, email: string): Promise<Language> {
    return (await this.repository.findByEmail(ctx, email))?.language ?? DEFAULT_LANGUAGE;
  }

  /** @throws AppError not_found */
  async update(ctx: RequestContext, id: string, { name, language }: ProfileChange): Promise<Developer> {
    return this.transactions.run(ctx, async (tx) => {
      if (name !== undefined || language !== undefined) {
        await this.repository.update(tx, id, { ...(name !== undefined && { name }), ...(language && { language }) });
        await this.audit.record(tx, { type: 'developer.updated', organizationId: null, payload: { developer_id: id } });
      }
      return this.get(tx, id);
    });
  }

  /**
   * Null when the address is unknown or the password wrong. The timing is the same in both cases.
   * @throws AppError rate_limit_exceeded when too many passwords wait to be checked.
   */
  async findByCredentials(
    ctx: RequestContext,
    { email, password }: Credentials,
    turn: HashTurn,
  ): Promise<AuthenticatedDeveloper | null> {
    const entity = await this.repository.findByEmail(ctx, email);
    const matches = await this.passwords.matches(password, entity?.passwordHash ?? null, turn);
    if (!entity || !matches) return null;
    const suspended = entity.suspendedAt !== null;
    return { ...toDeveloper(entity), suspended, lockIfUnchanged: (tx) => this.repository.lockCredentials(tx, entity) };
  }

  /** Null when the account does not exist or is suspended: then no credential of it is valid. */
  findSessionHolder(ctx: RequestContext, id: string): Promise<SessionHolder | null> {
    return this.readSessionHolder(ctx, id, { lock: false });
  }

  /**
   * Waits for a concurrent logout or suspension, and delays later ones until the transaction ends, so that those which also revoke
   * credentials find the ones that the transaction creates.
   */
  lockSessionHolder(tx: RequestContext, id: string): Promise<SessionHolder | null> {
    return this.readSessionHolder(tx, id, { lock: true });
  }

  /** Returns the times for a token that is issued now. Waits for a concurrent logout. */
  issueTime(ctx: RequestContext, id: string): Promise<IssueTime> {
    return this.repository.issueTime(ctx, id);
  }

  /**
   * Deletes an account with its sessions, links and second factor. What the developer created stays, without a reference to
   * them.
   * @throws the first error of a `deletion` handler.
   */
  async delete(tx: RequestContext, id: string): Promise<void> {
    await this.deletion.run(tx, id);
    await this.repository.delete(tx, id);
    await this.audit.record(tx, { type: 'developer.deleted', organizationId: null, payload: { developer_id: id } });
  }

  /** Ends all sessions of the developer: invalidates every access token and refresh token. */
  endSessions(ctx: RequestContext, id: string): Promise<void> {
    return this.repository.raiseMinIssuedAt(ctx, id);
  }

  /** Uses one of the `max` trial credits that a developer gets in total. @returns false when all are used. */
  takeTrialCredit(tx: RequestContext, id: string, max: number): Promise<boolean> {
    return this.repository.takeTrialCredit(tx, id, max);
  }

  private async readSessionHolder(
    ctx: RequestContext,
    id: string,
    options: { readonly lock: boolean },
  ): Promise<SessionHolder | null> {
    const entity = await this.repository.findWithTime(ctx, id, options);
    if (!entity || entity.suspendedAt !== null) return null;
    return { developer: toDeveloper(entity), minIssuedAt: entity.minIssuedAt, now: entity.now };
  }

  private async newAccount(ctx: RequestContext, signUp: SignUp): Promise<DeveloperEntity> {
    const { email, password, name, language = DEFAULT_LANGUAGE } = signUp;
    const passwordHash = await this.passwords.hash(password, openTurn(ctx));
    const now = ctx.clock.now();
    return {
      id: newId(),
      email,
      emailKey: emailKeyOf(email),
      name: name ?? null,
      passwordHash,
      emailVerifiedAt: null,
      minIssuedAt: now,
      language,
      suspendedAt: null,
      trialCredits: 0,
      createdAt: now,
    };
  }

  /** @returns false when the address already has an account. */
  private async insert(ctx: RequestContext, account: DeveloperEntity): Promise<boolean> {
    const created = await this.repository.insert(ctx, account);
    const payload = { developer_id: account.id };
    if (created) await this.audit.record(ctx, { type: 'developer.signed_up', organizationId: null, payload });
    return created;
  }
}

/** The name of a developer, or else their e-mail address. Null when the account was deleted. */
export const labelOf = (developer: Pick<Developer, 'name' | 'email'> | undefined): string | null =>
  developer?.name ?? developer?.email ?? null;

const hasAccount = (): AppError =>
  new AppError('already_exists', { message: 'This address has an account. Log in, then accept the invitation.' });

const signUpRejected = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This service creates no account for this address. Ask its operator for one.',
    details: { reason: 'sign_up_rejected' },
  });

const toDeveloper = (entity: DeveloperEntity): Developer => ({
  id: entity.id,
  email: entity.email,
  name: entity.name,
  emailVerified: entity.emailVerifiedAt !== null,
  language: entity.language,
  createdAt: entity.createdAt,
});
