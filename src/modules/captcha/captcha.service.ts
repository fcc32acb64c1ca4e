import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Challenge } from 'altcha-lib';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { CaptchaConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { CaptchaProvider } from './captcha-provider';
import { CaptchaRepository } from './captcha.repository';

/** Challenges for forms, and the demand that they are solved. */
@Injectable()
export class CaptchaService implements OnModuleInit {
  constructor(
    private readonly provider: CaptchaProvider,
    private readonly repository: CaptchaRepository,
    private readonly config: CaptchaConfig,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('captcha.prune-solutions', '17 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /** @returns null when nothing is asked. */
  challenge(ctx: RequestContext): Promise<Challenge | null> {
    return this.provider.challenge(ctx);
  }

  /** Gives a page that has a form a challenge for it, where one is asked. */
  async protect(ctx: RequestContext, page: HtmlPage): Promise<HtmlPage> {
    const challenge = 'form' in page.view ? await this.challenge(ctx) : null;
    if (!challenge) return page;
    return new HtmlPage(page.template, { ...page.view, challenge: JSON.stringify(challenge) }, page.status);
  }

  /**
   * Takes the answer that a request brings, once.
   * @throws AppError invalid_input, `details.reason` `captcha_required` or `captcha_invalid` (wrong, expired or used)
   */
  async demand(ctx: RequestContext, answer: unknown): Promise<void> {
    if (this.config.provider === 'none') return;
    if (typeof answer !== 'string' || answer === '') {
      throw AppError.invalidInput(
        'captcha_required',
        'Send a solved captcha: GET /api/v1/captcha gives one. In a browser, this needs JavaScript.',
      );
    }
    const proof = await this.provider.verify(ctx, answer);
    if (!proof || !(await this.repository.spend(ctx, proof))) {
      throw AppError.invalidInput('captcha_invalid', 'The captcha is wrong, has expired or was used. Solve a new one.');
    }
  }
}
