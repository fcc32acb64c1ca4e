import { type TesterResponse } from '@agate/client';
import { type Context } from '../../context';
import { notFoundError } from '../../output/cli-error';

/** The testers with these addresses. @throws CliError that names all addresses that the project does not have. */
export async function findTesters(context: Context, emails: readonly string[]): Promise<TesterResponse[]> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const testers: TesterResponse[] = [];
  const unknown: string[] = [];
  for (const email of emails) {
    const { items } = await client.request('GET /testers', { query: { ...scope, email } });
    if (items[0]) testers.push(items[0]);
    else unknown.push(email);
  }
  if (unknown.length === 0) return testers;
  throw notFoundError(`The project has no tester ${unknown.join(', ')}. Nothing was changed.`, { emails: unknown });
}
