import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { openTurn, PasswordHasher, provenTurn } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { CaptchaService } from '#modules/captcha';
import {
  type AccessStep,
  type LinkRule,
  LinkRulesService,
  type LinkStep,
  normalizedPassword,
} from '#modules/install-links';
import { deadLink, LinkResolverService } from '../link-resolver.service';
import { splitGrant, withGrant } from '../page/link-addresses';
import { LinkAttemptsService } from './link-attempts.service';
import { LinkCodesService } from './link-codes.service';

/** The result of an attempt to open a link. */
export type GateOutcome =
  /** The token of the link with the grant of the visitor. */
  | { readonly opened: string }
  /** The visitor is still at this step. */
  | { readonly step: LinkStep; readonly problem?: 'wrong' | 'too_many'; readonly seconds?: number };

interface Attempt {
  readonly captcha?: string | undefined;
}

/** Opens links with rules: checks passwords and mailed codes, and records the acceptance of terms. */
@Injectable()
export class LinkGateService {
  constructor(
    private readonly links: LinkResolverService,
    private readonly rules: LinkRulesService,
    private readonly attempts: LinkAttemptsService,
    private readonly codes: LinkCodesService,
    private readonly passwords: PasswordHasher,
    private readonly captcha: CaptchaService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws AppError not_found unless the link waits for a password; invalid_input for a wrong captcha; rate_limit_exceeded */
  async unlock(
    ctx: RequestContext,
    text: string,
    { password, captcha }: Attempt & { readonly password: string },
  ): Promise<GateOutcome> {
    const step = await this.stepOf(ctx, text, 'password');
    const busy = await this.admit(ctx, step, captcha);
    if (busy) return busy;
    const isProven = captcha !== undefined;
    const turn = isProven ? provenTurn(ctx) : openTurn(ctx);
    if (!(await this.passwords.matches(normalizedPassword(password), step.rule.passwordHash, turn)))
      return this.failed(ctx, step, isProven);
    const late = isProven ? null : await this.admit(ctx, step, undefined);
    return late ?? this.opened(ctx, text, step.rule, null);
  }

  /** Requests a code for an address. The result does not depend on whether it is the address of a tester. @throws AppError as `unlock` */
  async requestCode(
    ctx: RequestContext,
    text: string,
    { email, captcha }: Attempt & { readonly email: string },
  ): Promise<GateOutcome> {
    const step = await this.stepOf(ctx, text, 'sign_in');
    const busy = await this.admit(ctx, step, captcha);
    if (busy) return busy;
    await this.transactions.run(ctx, async (tx) => {
      await this.attempts.countCode(tx);
      await this.codes.request(tx, step.rule, email);
    });
    return { step };
  }

  /** @throws AppError as `unlock` */
  async signIn(
    ctx: RequestContext,
    text: string,
    { email, code, captcha }: Attempt & { readonly email: string; readonly code: string },
  ): Promise<GateOutcome> {
    const step = await this.stepOf(ctx, text, 'sign_in');
    const busy = await this.admit(ctx, step, captcha);
    if (busy) return busy;
    // One transaction, so that an attempt commits once, whether or not the address has a code.
    return this.transactions.run(ctx, async (tx) => {
      const testerId = await this.codes.spend(tx, step.rule, email, code);
      return testerId === null
        ? this.failed(tx, step, captcha !== undefined)
        : this.opened(tx, text, step.rule, testerId);
    });
  }

  /**
   * Records that the visitor accepts the terms. Another version than the present one accepts nothing.
   * @throws AppError not_found unless the link waits for that.
   */
  async accept(ctx: RequestContext, text: string, version: number): Promise<GateOutcome> {
    const step = await this.links.visit(ctx, text);
    if (!('step' in step) || step.step !== 'terms') throw deadLink();
    if (step.rule.termsVersion !== version) return { step };
    const { grant } = await this.rules.accept(ctx, step);
    return { opened: step.isOfTester ? text : withGrant(splitGrant(text).token, grant) };
  }

  private async stepOf(ctx: RequestContext, text: string, wanted: 'password' | 'sign_in'): Promise<AccessStep> {
    const visit = await this.links.visit(ctx, text);
    if (!('step' in visit) || visit.step === 'terms' || visit.step !== wanted) throw deadLink();
    return visit;
  }

  /**
   * Checks a captcha, and whether one is needed. Called again before an attempt without a captcha gets its answer: guesses that were sent in
   * parallel are admitted together, and reach the limit while they wait for their turn.
   * @returns null when the visitor may try. @throws AppError invalid_input for a wrong captcha.
   */
  private async admit(ctx: RequestContext, step: AccessStep, captcha: string | undefined): Promise<GateOutcome | null> {
    if (captcha !== undefined) {
      await this.captcha.requireSolution(ctx, captcha, 'login');
      return null;
    }
    const seconds = await this.attempts.secondsAtLimit(ctx, step.rule.linkId);
    return seconds === 0 ? null : { step, problem: 'too_many', seconds };
  }

  private async opened(
    ctx: RequestContext,
    text: string,
    rule: LinkRule,
    testerId: string | null,
  ): Promise<GateOutcome> {
    const { grant } = await this.rules.grantTo(ctx, rule, testerId);
    return { opened: withGrant(splitGrant(text).token, grant) };
  }

  /** Of parallel guesses without a captcha, only those within the limits are told apart from the right password. */
  private async failed(ctx: RequestContext, step: AccessStep, isProven: boolean): Promise<GateOutcome> {
    const { rule } = step;
    const isWithin = await this.transactions.run(ctx, async (tx) => {
      if (step.step === 'password') {
        const payload = { link_id: rule.linkId };
        await this.audit.record(tx, { type: 'link.password_failed', ...scopeOf(rule), payload });
      }
      return this.attempts.countFailure(tx, rule.linkId);
    });
    const late = isWithin || isProven ? null : await this.admit(ctx, step, undefined);
    return late ?? { step, problem: 'wrong' };
  }
}

/** The error of an attempt for clients that are no browsers. */
export function gateError({ problem, seconds = 1 }: Exclude<GateOutcome, { opened: string }>): AppError {
  if (problem !== 'too_many') return deadLink();
  return new AppError('rate_limit_exceeded', {
    message:
      'Too many wrong attempts. Solve a captcha of GET /api/v1/captcha?for=login and send the solution as captcha, or wait for the seconds in Retry-After.',
    retryAfterSeconds: seconds,
    details: { retry_after_seconds: seconds, captcha_required: true },
  });
}
