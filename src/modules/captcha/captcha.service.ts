import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Challenge } from 'altcha-lib';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { CaptchaConfig } from '#infra/config/config';
import { Secrets } from '#infra/crypto/secrets';
import { Jobs } from '#infra/jobs/jobs';
import { AltchaCaptcha } from './altcha-captcha';
import { CaptchaRepository } from './captcha.repository';

/** Creates challenges for sign-ups and requires their solutions. */
@Injectable()
export class CaptchaService implements OnModuleInit {
  /** `null` when `CAPTCHA_PROVIDER` is `none`: then no solution is required. */
  private readonly altcha: AltchaCaptcha | null;

  constructor(
    config: CaptchaConfig,
    secrets: Secrets,
    private readonly repository: CaptchaRepository,
    private readonly jobs: Jobs,
  ) {
    this.altcha = config.provider === 'altcha' ? new AltchaCaptcha(secrets.masterKeys) : null;
  }

  onModuleInit(): void {
    this.jobs.schedule('captcha.prune-solutions', '17 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /** @returns a new challenge, null when no captcha is configured. */
  async challenge(ctx: RequestContext): Promise<Challenge | null> {
    return this.altcha && this.altcha.challenge(ctx);
  }

  /**
   * Verifies a solution and marks it as used. Accepts every value when no captcha is configured.
   * @throws AppError invalid_input, `details.reason` `captcha_required` or `captcha_invalid` (wrong, expired or used)
   */
  async requireSolution(ctx: RequestContext, solution: unknown): Promise<void> {
    if (!this.altcha) return;
    if (typeof solution !== 'string' || solution === '') {
      throw AppError.invalidInput(
        'captcha_required',
        'The captcha is missing. Solve a challenge of GET /api/v1/captcha and send the solution. In a browser, this needs JavaScript.',
      );
    }
    const proof = await this.altcha.verify(ctx, solution);
    if (!proof || !(await this.repository.markUsed(ctx, proof))) {
      throw AppError.invalidInput('captcha_invalid', 'The captcha is wrong, expired or already used. Solve a new one.');
    }
  }
}
