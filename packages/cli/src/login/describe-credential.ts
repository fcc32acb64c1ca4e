import { type CredentialResponse } from '@agate/client';
import { tableOf } from '../output/table';

const KINDS: Readonly<Record<CredentialResponse['kind'], string>> = {
  project_access_token: 'project access token',
  personal_access_token: 'personal access token',
  session: 'login',
};

/** A description of a credential, as lines for people. */
export function describeCredential(url: string, credential: CredentialResponse): string {
  const { kind, name, developer, organization, project, role, scopes, expires_at: expiresAt } = credential;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['service', url],
    ['credential', name === null ? KINDS[kind] : `${KINDS[kind]} "${name}"`],
    ['acts for', developer?.email],
    ['organization', organization?.name],
    ['project', project?.name],
    ['role', role],
    ['scopes', scopes?.join(', ')],
    ['expires', kind === 'session' ? null : (expiresAt?.slice(0, 10) ?? 'never')],
  ];
  return tableOf(facts.flatMap(([label, value]) => (value ? [[label, value]] : [])));
}
