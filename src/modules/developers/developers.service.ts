import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { PasswordHasher } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { type Developer } from './developer';
import { DeveloperLinksService } from './mailed-links/developer-links.service';
import { type DeveloperEntity } from './developer.entity';
import { DevelopersRepository } from './developers.repository';

/** What a session is checked against on every request. */
export interface SessionHolder {
  readonly developer: Developer;
  /** JWTs and sessions begun before this are refused. */
  readonly minIssuedAt: Date;
}

/** A developer whose password was right a moment ago. */
export interface ProvenDeveloper extends Developer {
  /** Whether neither the password nor the address has changed since; if so, they cannot until `tx` ends. */
  readonly stillProven: (tx: RequestContext) => Promise<boolean>;
}

/** What an account is made of. */
export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/** Something that hangs on an account, in a module that this one does not know. */
export type DeletionListener = (tx: RequestContext, developerId: string) => Promise<void>;

/** Accounts of the people who log in. */
@Injectable()
export class DevelopersService {
  private readonly deletionListeners: DeletionListener[] = [];

  constructor(
    private readonly repository: DevelopersRepository,
    private readonly links: DeveloperLinksService,
    private readonly passwords: PasswordHasher,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Makes an account, or mails the one that exists: the caller cannot tell which (specification §5). */
  async signUp(ctx: RequestContext, signUp: SignUp): Promise<void> {
    const account = await this.newAccount(ctx, signUp);
    await this.transactions.run(ctx, async (tx) => {
      const made = await this.insert(tx, account);
      await this.links.request(tx, signUp.email, made ? 'verify_email' : 'already_registered');
    });
  }

  /**
   * Makes an account whose e-mail needs no proof, because whoever runs the service vouches for it. No mail is sent.
   * @throws AppError already_exists
   */
  async createVerified(ctx: RequestContext, signUp: SignUp): Promise<Developer> {
    const account = { ...(await this.newAccount(ctx, signUp)), emailVerifiedAt: ctx.clock.now() };
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.insert(tx, account))) throw new AppError('already_exists');
    });
    return toDeveloper(account);
  }

  async get(ctx: RequestContext, id: string): Promise<Developer> {
    const entity = await this.repository.findById(ctx, id);
    if (!entity) throw AppError.notFound('developer');
    return toDeveloper(entity);
  }

  /** Several at once, by id; those who are gone are left out. */
  async findMany(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, Developer>> {
    const entities = await this.repository.findByIds(ctx, ids);
    return new Map(entities.map((entity) => [entity.id, toDeveloper(entity)]));
  }

  /** Whose address it is, however it is written. Not for answers to strangers: they must not learn who has an account. */
  async findIdByEmail(ctx: RequestContext, email: string): Promise<string | null> {
    return (await this.repository.findByEmail(ctx, email))?.id ?? null;
  }

  async rename(ctx: RequestContext, id: string, name: string | null | undefined): Promise<Developer> {
    return this.transactions.run(ctx, async (tx) => {
      if (name !== undefined) {
        await this.repository.update(tx, id, { name });
        await this.audit.record(tx, { type: 'developer.updated', organizationId: null, payload: { developer_id: id } });
      }
      return this.get(tx, id);
    });
  }

  /** Whose e-mail and password these are, or null; as slow for an unknown e-mail as for a wrong password. */
  async findByCredentials(ctx: RequestContext, email: string, password: string): Promise<ProvenDeveloper | null> {
    this.passwords.rejectWhenBusy();
    const entity = await this.repository.findByEmail(ctx, email);
    const matches = await this.passwords.matches(password, entity?.passwordHash ?? null);
    if (!entity || !matches) return null;
    return { ...toDeveloper(entity), stillProven: (tx) => this.repository.holdCredentials(tx, entity) };
  }

  async findSessionHolder(ctx: RequestContext, id: string): Promise<SessionHolder | null> {
    const entity = await this.repository.findById(ctx, id);
    return entity && { developer: toDeveloper(entity), minIssuedAt: entity.minIssuedAt };
  }

  /** When something issued to a developer now begins: milliseconds since 1970, by the database's clock. */
  issueTime(ctx: RequestContext, id: string): Promise<number> {
    return this.repository.issueTime(ctx, id);
  }

  /** Registers what must happen, in the same transaction, before an account goes; throwing keeps the account. */
  onDeletion(listener: DeletionListener): void {
    this.deletionListeners.push(listener);
  }

  /** Deletes an account. What it made stays, without its name. Sessions, links and second factor go with the row. */
  async delete(tx: RequestContext, id: string): Promise<void> {
    for (const listener of this.deletionListeners) await listener(tx, id);
    await this.repository.delete(tx, id);
    await this.audit.record(tx, { type: 'developer.deleted', organizationId: null, payload: { developer_id: id } });
  }

  /** Ends every session of a developer: access tokens and refresh tokens alike. */
  endSessions(ctx: RequestContext, id: string): Promise<void> {
    return this.repository.raiseFloor(ctx, id);
  }

  /** Takes one of the trial credits that a developer gets in all; false when they have had them. */
  takeTrialCredit(tx: RequestContext, id: string, most: number): Promise<boolean> {
    return this.repository.takeTrialCredit(tx, id, most);
  }

  private async newAccount(ctx: RequestContext, { email, password, name }: SignUp): Promise<DeveloperEntity> {
    const passwordHash = await this.passwords.hash(password);
    const now = ctx.clock.now();
    return {
      id: newId(),
      email,
      emailKey: emailKeyOf(email),
      name: name ?? null,
      passwordHash,
      emailVerifiedAt: null,
      minIssuedAt: now,
      trialCredits: 0,
      createdAt: now,
    };
  }

  /** False when the address has an account. */
  private async insert(ctx: RequestContext, account: DeveloperEntity): Promise<boolean> {
    const made = await this.repository.insert(ctx, account);
    const payload = { developer_id: account.id };
    if (made) await this.audit.record(ctx, { type: 'developer.signed_up', organizationId: null, payload });
    return made;
  }
}

export const toDeveloper = (entity: DeveloperEntity): Developer => ({
  id: entity.id,
  email: entity.email,
  name: entity.name,
  emailVerified: entity.emailVerifiedAt !== null,
  createdAt: entity.createdAt,
});
