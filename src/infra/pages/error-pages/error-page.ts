import { type AppError } from '#kernel/errors/app-error';
import { type ErrorCode } from '#kernel/errors/catalogue';
import { type MessagePageView } from '../message-page';
import { type Messages } from '../messages/messages';

export interface ErrorPageContext {
  readonly messages: Messages;
  readonly requestId: string;
  /** Where "Try again" leads: the path of the request, when it was a GET. */
  readonly retryPath?: string;
}

type Words = Exclude<keyof Messages['errors'], 'requestId' | 'tryAgain'>;

/** What may go well a moment later: to be tried again. */
const LATER: Partial<Record<ErrorCode, Words>> = {
  prepaid_credit_exhausted: 'payment',
  spend_cap_exceeded: 'payment',
  rate_limit_exceeded: 'tooMany',
  storage_backend_unavailable: 'unavailable',
};

const REFUSED: Partial<Record<ErrorCode, Words>> = {
  already_exists: 'alreadyDone',
  email_not_verified: 'unverified',
  not_found: 'notFound',
  permission_denied: 'notHere',
  unauthorized: 'unauthorized',
};

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
  const later = LATER[code] ?? (status >= 500 ? 'internal' : undefined);
  if (later === 'tooMany')
    return again(words.tooMany.title, words.tooMany.text, words.tooMany.wait(error.retryAfterSeconds ?? 1));
  if (later) return again(words[later].title, words[later].text);
  const { title, text } = words[REFUSED[code] ?? 'rejected'];
  return page(title, reasonOf(error, messages) ?? text);
}

/** Why a build cannot be installed, where that is what was refused. */
function reasonOf({ details }: AppError, { install }: Messages): string | null {
  const words: Readonly<Record<string, string>> = install.warnings;
  const reason = details['reason'];
  return typeof reason === 'string' && Object.hasOwn(words, reason) ? (words[reason] ?? null) : null;
}
