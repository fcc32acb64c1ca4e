import { type AppError } from '#kernel/errors/app-error';
import { type MessagePageView } from './message-page';
import { type Messages } from './messages';

export interface ErrorPageContext {
  readonly messages: Messages;
  readonly requestId: string;
  /** Where "Try again" leads: the path of the request, when it was a GET. */
  readonly retryPath?: string;
}

/**
 * What a browser shows instead of the envelope. The refusals a tester can meet have words of their own, in
 * their language; an error's own message is for programs and their authors, and a fault of ours shows nothing of the inside.
 */
export function errorPage(error: AppError, { messages, requestId, retryPath }: ErrorPageContext): MessagePageView {
  const words = messages.errors;
  const retry = retryPath === undefined ? {} : { link: { href: retryPath, label: words.tryAgain } };
  const page = (title: string, ...paragraphs: string[]): MessagePageView => ({
    messages,
    tone: 'problem',
    title,
    paragraphs,
    footnote: words.requestId(requestId),
  });
  switch (error.entry.status) {
    case 402:
      return { ...page(words.payment.title, words.payment.text), ...retry };
    case 404:
      return page(words.notFound.title, words.notFound.text);
    case 429:
      return {
        ...page(words.tooMany.title, words.tooMany.text, words.tooMany.wait(error.retryAfterSeconds ?? 1)),
        ...retry,
      };
    case 503:
      return { ...page(words.unavailable.title, words.unavailable.text), ...retry };
    default:
      return error.entry.status >= 500
        ? { ...page(words.internal.title, words.internal.text), ...retry }
        : page(words.rejected.title, reasonOf(error, messages) ?? words.rejected.text);
  }
}

/** Why a build cannot be installed, where that is what was refused. */
function reasonOf({ details }: AppError, { install }: Messages): string | null {
  const words: Readonly<Record<string, string>> = install.warnings;
  const reason = details['reason'];
  return typeof reason === 'string' && Object.hasOwn(words, reason) ? (words[reason] ?? null) : null;
}
