import { type Challenge } from 'altcha-lib';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { type Messages } from '#infra/pages/messages/messages';
import { type PageView, pageTemplate } from '#infra/pages/rendering/page-renderer';

interface CaptchaPageView extends PageView {
  /** The origins that are told the solution, separated by spaces. */
  readonly parents: string;
}

const CAPTCHA_PAGE = pageTemplate<CaptchaPageView>(__dirname, 'captcha-page');

/** A page to be framed by the dashboard: it solves the challenge and posts the solution to whoever frames it. */
export function captchaPage(
  messages: Messages,
  challenge: Challenge | null,
  origins: readonly string[],
): HtmlPage<CaptchaPageView> {
  const { title } = messages.captcha;
  const view = {
    messages,
    title,
    parents: origins.join(' '),
    ...(challenge && { challenge: JSON.stringify(challenge) }),
  };
  return new HtmlPage(CAPTCHA_PAGE, view, 200, origins);
}
