/** The place of the comment, and the credential for it. */
export interface PullRequestPage {
  /** Address of the API of the host, such as https://api.github.com. */
  readonly api: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

interface Comment {
  readonly id: number;
  readonly body?: string;
  readonly user?: { readonly login?: string; readonly type?: string } | null;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 30;

/** A response of the host with a status of 400 or above. */
export class HostError extends Error {
  constructor(readonly status: number) {
    super(`The host of the repository responded with status ${status}.`);
  }
}

/** Writes a comment, or edits the comment of an earlier run that starts with the marker. @throws HostError */
export async function keepComment(page: PullRequestPage, marker: string, body: string): Promise<void> {
  const issue = `/repos/${page.repository}/issues`;
  const existing = await findComment(page, marker);
  const text = JSON.stringify({ body: `${marker}\n${body}` });
  if (existing === null) await request(page, 'POST', `${issue}/${page.number}/comments`, text);
  else await request(page, 'PATCH', `${issue}/comments/${existing}`, text);
}

/** The id of the comment to edit. A person could write the marker, too, but comments of people are not edited. */
async function findComment(page: PullRequestPage, marker: string): Promise<number | null> {
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const query = `per_page=${PAGE_SIZE}&page=${number}`;
    const address = `/repos/${page.repository}/issues/${page.number}/comments?${query}`;
    const comments = (await request(page, 'GET', address)) as Comment[];
    for (const comment of comments) {
      if (comment.body?.startsWith(marker) && (await isOwn(page, comment))) return comment.id;
    }
    if (comments.length < PAGE_SIZE) return null;
  }
  return null;
}

/** A job's token writes as a bot. For a person's token, the author is that person, or the host may not say. */
async function isOwn(page: PullRequestPage, { user }: Comment): Promise<boolean> {
  if (user?.type !== 'User') return true;
  const self = (await request(page, 'GET', '/user').catch(() => null)) as { login?: string } | null;
  return self?.login !== undefined && self.login === user.login;
}

async function request(
  { api, token }: PullRequestPage,
  method: string,
  address: string,
  body?: string,
): Promise<unknown> {
  const response = await fetch(`${api}${address}`, {
    method,
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'User-Agent': 'agate-action',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new HostError(response.status);
  }
  return response.json();
}
