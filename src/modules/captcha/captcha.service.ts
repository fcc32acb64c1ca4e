import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Challenge } from 'altcha-lib';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { CaptchaConfig } from '#infra/config/config';
import { Secrets } from '#infra/crypto/secrets';
import { Jobs } from '#infra/jobs/jobs';
import { AltchaCaptcha } from './altcha-captcha';
import { CaptchaRepository } from './captcha.repository';

/** The purpose of a captcha. A sign-up requires one only when `CAPTCHA_PROVIDER` says so; a login, after too many failures, always. */
export const CAPTCHA_PURPOSES = ['sign_up', 'login'] as const;
export type CaptchaPurpose = (typeof CAPTCHA_PURPOSES)[number];

/** Creates challenges and requires their solutions. */
@Injectable()
export class CaptchaService implements OnModuleInit {
  private readonly altcha: AltchaCaptcha;
  private readonly signUpsNeedOne: boolean;

  constructor(
    config: CaptchaConfig,
    secrets: Secrets,
    private readonly repository: CaptchaRepository,
    private readonly jobs: Jobs,
  ) {
    this.altcha = new AltchaCaptcha(secrets.masterKeys);
    this.signUpsNeedOne = config.provider === 'altcha';
  }

  onModuleInit(): void {
    this.jobs.schedule('captcha.prune-solutions', '17 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /** @returns a new challenge, null when none is required for the purpose. */
  async challenge(ctx: RequestContext, purpose: CaptchaPurpose): Promise<Challenge | null> {
    return this.isRequired(purpose) ? this.altcha.challenge(ctx) : null;
  }

  /**
   * Verifies a solution and marks it as used. Accepts every value when none is required for the purpose.
   * @throws AppError invalid_input, `details.reason` `captcha_required` or `captcha_invalid` (wrong, expired or used)
   */
  async requireSolution(ctx: RequestContext, solution: unknown, purpose: CaptchaPurpose): Promise<void> {
    if (!this.isRequired(purpose)) return;
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

  private isRequired(purpose: CaptchaPurpose): boolean {
    return purpose === 'login' || this.signUpsNeedOne;
  }
}
