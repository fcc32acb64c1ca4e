import { Injectable, type OnModuleInit } from '@nestjs/common';
import { digestOf } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { knownTurn, PasswordHasher } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { type DeveloperLinkEntity } from '../developer.entity';
import { DevelopersRepository } from '../developers.repository';
import { DeveloperMailsService } from './mails/developer-mails.service';

/** Revokes all personal access tokens of a developer, in the caller's transaction. The module of the tokens adds the handler. */
@Injectable()
export class TokenRevocation extends Hook<[tx: RequestContext, developerId: string]> {}

type MailReason = 'verify_email' | 'reset_password' | 'already_registered' | 'invited';

/** The outcome of opening a verification link. */
export type Verification = 'verified' | 'already_verified' | 'invalid';

interface PasswordReset {
  /** The token of the mailed link. */
  readonly token: string;
  readonly newPassword: string;
  /** Whether to revoke all personal access tokens of the developer. */
  readonly revokePats?: boolean | undefined;
}

const HOUR_MS = 3_600_000;
/** The number of links per hour, for each account and purpose. */
const MAX_LINKS_PER_HOUR = 3;

const MAIL_REQUESTED = defineJob<{ email: string; reason: MailReason }>('developers.mail-requested', {
  jobClass: 'mail',
});

/** One-time links by mail: to verify an address, and to set a new password. */
@Injectable()
export class DeveloperLinksService implements OnModuleInit {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly mails: DeveloperMailsService,
    private readonly passwords: PasswordHasher,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly tokens: TokenRevocation,
  ) {}

  onModuleInit(): void {
    this.jobs.register(MAIL_REQUESTED, (ctx, { email, reason }) => this.send(ctx, email, reason));
    this.jobs.schedule('developers.prune-links', '29 4 * * *', (ctx) => this.repository.pruneLinks(ctx));
  }

  /**
   * Requests a mail. A job looks up the address later, so that the response and its timing are the same whether or not the
   * address has an account.
   */
  request(ctx: RequestContext, email: string, reason: MailReason): Promise<void> {
    return this.jobs.enqueue(ctx, MAIL_REQUESTED, { email, reason });
  }

  /**
   * Uses a verification link. Every link of a verified account is a success, also when it is used or expired, because mail
   * scanners open links first, and a developer may open the link of an older mail.
   */
  async verifyEmail(ctx: RequestContext, developerId: string, token: string): Promise<Verification> {
    const digest = digestOf(token);
    return this.transactions.run(ctx, async (tx) => {
      const link = await this.repository.findLink(tx, digest, 'verify_email');
      if (link?.developerId !== developerId) return 'invalid';
      if (await this.isVerified(tx, developerId)) return 'already_verified';
      if (!(await this.repository.consumeLink(tx, digest, 'verify_email'))) {
        // A concurrent request may have used the link.
        return (await this.isVerified(tx, developerId)) ? 'already_verified' : 'invalid';
      }
      await this.repository.update(tx, developerId, { emailVerifiedAt: tx.clock.now() });
      await this.repository.markVerificationLinksUsed(tx, developerId);
      await this.audit.record(tx, {
        type: 'developer.email_verified',
        organizationId: null,
        payload: { developer_id: developerId },
      });
      return 'verified';
    });
  }

  /** Whether a reset link is valid. Does not use the link. */
  async canReset(ctx: RequestContext, token: string): Promise<boolean> {
    return (await this.findResetLink(ctx, token)) !== null;
  }

  /**
   * Sets a new password with a mailed link and ends all sessions. Personal access tokens stay valid unless `revokePats`. The link proves
   * that the developer owns the address, so the address becomes verified.
   * @throws AppError invalid_input when the link is used, expired or unknown.
   */
  async resetPassword(ctx: RequestContext, { token, newPassword, revokePats = false }: PasswordReset): Promise<void> {
    const link = await this.findResetLink(ctx, token);
    if (!link) throw expiredLink();
    const passwordHash = await this.passwords.hash(newPassword, knownTurn(link.developerId));
    await this.transactions.run(ctx, async (tx) => {
      const id = await this.repository.consumeLink(tx, digestOf(token), 'reset_password');
      const developer = id && (await this.repository.findById(tx, id));
      if (!developer) throw expiredLink();
      const emailVerifiedAt = developer.emailVerifiedAt ?? tx.clock.now();
      await this.repository.replacePassword(tx, developer.id, { passwordHash, emailVerifiedAt });
      await this.repository.markVerificationLinksUsed(tx, developer.id);
      await this.audit.record(tx, {
        type: 'developer.password_reset',
        organizationId: null,
        payload: { developer_id: developer.id },
      });
      if (revokePats) await this.tokens.run(tx, developer.id);
      await this.mails.passwordChanged(tx, developer);
    });
  }

  /** Null when the link is used, expired or unknown. */
  private async findResetLink(ctx: RequestContext, token: string): Promise<DeveloperLinkEntity | null> {
    const link = await this.repository.findLink(ctx, digestOf(token), 'reset_password');
    return link && link.usedAt === null && link.expiresAt > ctx.clock.now() ? link : null;
  }

  private async isVerified(ctx: RequestContext, developerId: string): Promise<boolean> {
    return Boolean((await this.repository.findById(ctx, developerId))?.emailVerifiedAt);
  }

  private async send(ctx: RequestContext, email: string, reason: MailReason): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const developer = await this.repository.findByEmail(tx, email);
      if (!developer) return;
      if (reason === 'already_registered') return this.mails.alreadyRegistered(tx, developer);
      if (reason === 'verify_email' && developer.emailVerifiedAt) return;
      // A concurrent change of the address deletes the links to the old one; no new link may be mailed to it.
      if (!(await this.repository.lockCredentials(tx, developer))) return;
      const anHourAgo = new Date(tx.clock.now().getTime() - HOUR_MS);
      const purpose = reason === 'verify_email' ? reason : 'reset_password';
      const recent = await this.repository.countLinksSince(tx, developer.id, purpose, anHourAgo);
      if (recent >= MAX_LINKS_PER_HOUR) return;
      const token = await this.repository.createLink(tx, developer.id, purpose);
      const mail = { verify_email: 'verifyEmail', reset_password: 'resetPassword', invited: 'invited' } as const;
      await this.mails[mail[reason]](tx, developer, token);
    });
  }
}

export const expiredLink = (): AppError =>
  AppError.invalidInput('link_expired', 'This link was used or has expired. Request a new one.');
