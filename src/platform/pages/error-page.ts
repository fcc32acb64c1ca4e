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
  const page = (title: string, ...paragraphs: string[]): MessagePageView => ({
    messages,
    tone: 'problem',
    title,
    paragraphs,
    footnote: words.requestId(requestId),
  });
  const again = (title: string, ...paragraphs: string[]): MessagePageView => ({
    ...page(title, ...paragraphs),
    ...(retryPath !== undefined && { link: { href: retryPath, label: words.tryAgain } }),
  });
  const { code, status } = error.entry;
  switch (code) {
    case 'unauthorized':
      return page(words.unauthorized.title, words.unauthorized.text);
    case 'email_not_verified':
      return page(words.unverified.title, words.unverified.text);
    case 'permission_denied':
      return page(words.notHere.title, words.notHere.text);
    case 'not_found':
      return page(words.notFound.title, words.notFound.text);
    case 'prepaid_credit_exhausted':
    case 'spend_cap_exceeded':
      return again(words.payment.title, words.payment.text);
    case 'rate_limit_exceeded':
      return again(words.tooMany.title, words.tooMany.text, words.tooMany.wait(error.retryAfterSeconds ?? 1));
    case 'storage_backend_unavailable':
      return again(words.unavailable.title, words.unavailable.text);
    default:
      return status >= 500
        ? again(words.internal.title, words.internal.text)
        : page(words.rejected.title, reasonOf(error, messages) ?? words.rejected.text);
  }
}

/** Why a build cannot be installed, where that is what was refused. */
function reasonOf({ details }: AppError, { install }: Messages): string | null {
  const words: Readonly<Record<string, string>> = install.warnings;
  const reason = details['reason'];
  return typeof reason === 'string' && Object.hasOwn(words, reason) ? (words[reason] ?? null) : null;
}
