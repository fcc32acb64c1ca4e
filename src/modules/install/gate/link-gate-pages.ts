import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MESSAGE_PAGE, type MessagePageView, type PageForm } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { CaptchaService } from '#modules/captcha';
import { type LinkRule, LinkRulesService, type LinkStep } from '#modules/install-links';
import { addressesOfLink } from '../page/link-addresses';
import { LinkAttemptsService } from './link-attempts.service';

/** What went wrong with the last attempt. */
export type GateProblem = 'wrong' | 'too_many';

/** A page that asks again, or for the code that was mailed to an address. */
export interface GateRetry {
  readonly problem?: GateProblem;
  /** The address that a code was requested for. */
  readonly email?: string;
  /** Whether the address has a grant that is not valid. */
  readonly hasInvalidGrant?: boolean;
}

const STATUS = { wrong: 404, too_many: 429 } as const;

/**
 * The pages before a link with rules opens. They work without script, unless a captcha is required, and show nothing of the build, the
 * project or the organization.
 */
@Injectable()
export class LinkGatePages {
  constructor(
    private readonly rules: LinkRulesService,
    private readonly attempts: LinkAttemptsService,
    private readonly captcha: CaptchaService,
    private readonly config: HttpConfig,
  ) {}

  /** @param token the token of the link, with the grant if the visitor has one. */
  async page(
    ctx: RequestContext,
    token: string,
    step: LinkStep,
    messages: Messages,
    retry: GateRetry = {},
  ): Promise<HtmlPage> {
    const view = { messages, tone: 'neutral' as const, ...(await this.viewOf(ctx, token, step, messages, retry)) };
    const status = retry.problem ? STATUS[retry.problem] : retry.hasInvalidGrant ? 404 : 200;
    if (step.step !== 'password' && step.step !== 'sign_in') return new HtmlPage(MESSAGE_PAGE, view, status);
    const isCaptchaNeeded = await this.attempts.isCaptchaNeeded(ctx, step.rule.linkId);
    if (!isCaptchaNeeded) return new HtmlPage(MESSAGE_PAGE, view, status);
    const challenge = JSON.stringify(await this.captcha.challenge(ctx, 'login'));
    return new HtmlPage(MESSAGE_PAGE, { ...view, challenge }, status);
  }

  private async viewOf(
    ctx: RequestContext,
    token: string,
    step: LinkStep,
    messages: Messages,
    { problem, email }: GateRetry,
  ): Promise<
    Pick<MessagePageView, 'title' | 'paragraphs' | 'form' | 'quote' | 'glyph' | 'otherwise' | 'dashboardLinks'>
  > {
    const { links: words } = messages;
    const { pagePath } = addressesOfLink(this.config.installBaseUrl, token).ofPage();
    const actionOf = (action: string): string => `${pagePath}/${action}`;
    switch (step.step) {
      case 'members':
        return {
          glyph: 'lock',
          title: words.members.title,
          paragraphs: [words.members.text],
          dashboardLinks: [{ href: this.config.baseUrl + dashboardPathOf(step.rule), label: words.members.open }],
        };
      case 'terms': {
        const text = await this.rules.termsOf(ctx, step.rule);
        const hidden = { version: String(step.rule.termsVersion) };
        const form = { action: actionOf('terms'), hidden, fields: [], submit: words.terms.submit };
        return { title: words.terms.title, paragraphs: [words.terms.text], quote: text.split(/\r\n|\r|\n/), form };
      }
      case 'password':
        return { ...textOf(words.password), form: formOf('password', actionOf('unlock'), messages, problem) };
      case 'sign_in':
        if (email === undefined)
          return { ...textOf(words.signIn), form: formOf('email', actionOf('sign-in'), messages, problem) };
        return {
          title: words.code.title,
          glyph: 'lock',
          paragraphs: [words.code.text(email)],
          otherwise: { href: pagePath, label: words.code.again },
          form: { ...formOf('code', actionOf('sign-in'), messages, problem), hidden: { email } },
        };
    }
  }
}

/** The screen of the dashboard on which a member opens the link. Its ids tell a visitor nothing, and open nothing without a login. */
const dashboardPathOf = ({ organizationId, projectId, linkId }: LinkRule): string =>
  `/o/${organizationId}/p/${projectId}/links/${linkId}/open`;

const textOf = ({ title, text }: { readonly title: string; readonly text: string }) => ({
  glyph: 'lock' as const,
  title,
  paragraphs: [text],
});

function formOf(
  kind: 'password' | 'email' | 'code',
  action: string,
  { links: words }: Messages,
  problem: GateProblem | undefined,
): PageForm {
  const wrong = { password: words.password.wrong, email: words.code.wrong, code: words.code.wrong }[kind];
  const { field: label, submit } = { password: words.password, email: words.signIn, code: words.code }[kind];
  const fields = {
    password: { name: 'password', label, type: 'password', autocomplete: 'off', maxLength: 200 },
    email: { name: 'email', label, type: 'email', autocomplete: 'email', maxLength: 254 },
    code: { name: 'code', label, type: 'text', autocomplete: 'one-time-code', maxLength: 12, keyboard: 'numeric' },
  } as const;
  return {
    action,
    fields: [fields[kind]],
    submit,
    ...(problem && { problem: problem === 'wrong' ? wrong : words.tooMany }),
  };
}
