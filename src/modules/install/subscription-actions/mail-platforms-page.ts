import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type MailPlatformsChange } from '#modules/testers';
import { MESSAGE_PAGE } from '#infra/pages/message-page';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';

/** Confirms the tester's choice of platforms. If it changed, a form restores the previous choice. Works without script. */
export function mailPlatformsPage(messages: Messages, action: string, change: MailPlatformsChange): HtmlPage {
  const { platformsChosen: words, undo } = messages.testing;
  const { project, before, after } = change;
  const names = new Intl.ListFormat(messages.languageTag).format(
    allOr(after).map((one) => messages.install.systems[one]),
  );
  const view = { messages, tone: 'success' as const, title: words.title(project) };
  const text = words.text(names);
  if (before.join() === after.join()) return new HtmlPage(MESSAGE_PAGE, { ...view, paragraphs: [text] });
  const form = { action, hidden: { platforms: allOr(before) }, fields: [], submit: undo.submit };
  return new HtmlPage(MESSAGE_PAGE, { ...view, paragraphs: [text, undo.text], form });
}

const allOr = (platforms: readonly Platform[]): readonly Platform[] => (platforms.length === 0 ? PLATFORMS : platforms);
