import { type Challenge } from 'altcha-lib';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { type Messages } from '#infra/pages/messages/messages';
import { pageTemplate, type PageView } from '#infra/pages/rendering/page-renderer';

interface CaptchaPageView extends PageView {
  /** The origins that the page posts the solution to, separated by spaces. */
  readonly parents: string;
}

const CAPTCHA_PAGE = pageTemplate<CaptchaPageView>(__dirname, 'captcha-page');

/** A page for a frame in the dashboard. It solves the challenge and posts the solution to the dashboard's origins. */
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
