import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { PasswordHasher } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { LINK_HOURS } from '../developer';
import { DeveloperMails } from './developer-mails';
import { DevelopersRepository } from '../developers.repository';

/** Why somebody is mailed. */
export type MailReason = 'verify_email' | 'reset_password' | 'already_registered';

/** What opening a verification link found. */
export type Verification = 'verified' | 'already_verified' | 'invalid';

const HOUR_MS = 3_600_000;
const LINKS_PER_HOUR = 3;

const MAIL_REQUESTED = defineJob<{ email: string; reason: MailReason }>('developers.mail-requested');

/** One-time links by mail: verifying an address, setting a new password. */
@Injectable()
export class DeveloperLinksService implements OnModuleInit {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly mails: DeveloperMails,
    private readonly passwords: PasswordHasher,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.jobs.register(MAIL_REQUESTED, (ctx, { email, reason }) => this.send(ctx, email, reason));
    this.jobs.schedule('developers.prune-links', '29 4 * * *', (ctx) => this.repository.pruneLinks(ctx));
  }

  /**
   * Asks for a mail. The look-up happens in the background, so that the answer, and the time it takes, are the same
   * whether or not the address is known (specification §5).
   */
  request(ctx: RequestContext, email: string, reason: MailReason): Promise<void> {
    return this.jobs.enqueue(ctx, MAIL_REQUESTED, { email, reason });
  }

  /** Uses a verification link. Finding that it has done its work already is a success: mail scanners open links first. */
  async verifyEmail(ctx: RequestContext, developerId: string, token: string): Promise<Verification> {
    const digest = digestOf(token);
    return this.transactions.run(ctx, async (tx) => {
      const link = await this.repository.findLink(tx, digest, 'verify_email');
      if (link?.developerId !== developerId) return 'invalid';
      if (!(await this.repository.consumeLink(tx, digest, 'verify_email'))) {
        const used = (await this.repository.findLink(tx, digest, 'verify_email'))?.usedAt;
        return used ? 'already_verified' : 'invalid';
      }
      await this.repository.update(tx, developerId, { emailVerifiedAt: tx.clock.now() });
      await this.repository.dropUnusedLinks(tx, developerId, 'verify_email');
      await this.audit.record(tx, {
        type: 'developer.email_verified',
        organizationId: null,
        payload: { developer_id: developerId },
      });
      return 'verified';
    });
  }

  /** Whether a reset link still works; looking does not use it. */
  async canReset(ctx: RequestContext, token: string): Promise<boolean> {
    const link = await this.repository.findLink(ctx, digestOf(token), 'reset_password');
    return link !== null && link.usedAt === null && link.expiresAt > ctx.clock.now();
  }

  /**
   * Sets a new password by a mailed link and ends every session. Whoever has the mail has the address: it is verified.
   * @throws AppError invalid_input for a link that is used, expired or made up.
   */
  async resetPassword(ctx: RequestContext, token: string, newPassword: string): Promise<void> {
    if (!(await this.canReset(ctx, token))) throw expiredLink();
    const passwordHash = await this.passwords.hash(newPassword);
    await this.transactions.run(ctx, async (tx) => {
      const id = await this.repository.consumeLink(tx, digestOf(token), 'reset_password');
      const developer = id && (await this.repository.findById(tx, id));
      if (!developer) throw expiredLink();
      const emailVerifiedAt = developer.emailVerifiedAt ?? tx.clock.now();
      await this.repository.update(tx, developer.id, { passwordHash, emailVerifiedAt });
      await this.repository.dropCredentialLinks(tx, developer.id);
      await this.repository.raiseFloor(tx, developer.id);
      await this.audit.record(tx, {
        type: 'developer.password_reset',
        organizationId: null,
        payload: { developer_id: developer.id },
      });
      await this.mails.passwordChanged(tx, developer);
    });
  }

  private async send(ctx: RequestContext, email: string, reason: MailReason): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const developer = await this.repository.findByEmail(tx, email);
      if (!developer) return;
      if (reason === 'already_registered') return this.mails.alreadyRegistered(tx, developer);
      if (reason === 'verify_email' && developer.emailVerifiedAt) return;
      // Whoever changes the address meanwhile takes the links back: none may follow to the old one.
      if (!(await this.repository.holdCredentials(tx, developer))) return;
      const now = tx.clock.now();
      const recent = await this.repository.countLinksSince(tx, developer.id, reason, new Date(now.getTime() - HOUR_MS));
      if (recent >= LINKS_PER_HOUR) return;
      const token = newLinkToken();
      const expiresAt = new Date(now.getTime() + LINK_HOURS[reason] * HOUR_MS);
      await this.repository.insertLink(tx, {
        digest: digestOf(token),
        developerId: developer.id,
        purpose: reason,
        newEmail: null,
        createdAt: now,
        expiresAt,
        usedAt: null,
      });
      await (reason === 'verify_email'
        ? this.mails.verifyEmail(tx, developer, token)
        : this.mails.resetPassword(tx, developer, token));
    });
  }
}

const expiredLink = (): AppError =>
  AppError.invalidInput('link_expired', 'This link has been used or has expired. Ask for a new one.');
