import {
  ApiError,
  type Client,
  type CredentialResponse,
  effectiveProjectRole,
  includesProjectRole,
  type Plan,
  type ProjectRole,
  type ServiceResponse,
} from '@agate/client';
import { CliError } from '../output/cli-error';
import { type ProjectScope } from '../settings/scope';
import { isCompleteToken, isToken } from '../settings/token-format';
import { type Check, failed, ok, skipped, warning } from './check';

const DAY_MS = 86_400_000;
const FEW_DAYS = 14;
const NEW_TOKEN = 'Create another one in the dashboard, or with agate token create, and set AGATE_TOKEN to it.';

const KINDS: Readonly<Record<CredentialResponse['kind'], string>> = {
  project_access_token: 'project access token',
  personal_access_token: 'personal access token',
  session: 'login',
};

/** The permissions of a credential in the project of the command. */
export interface Permissions {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly projectId: string;
  /** The name of the project. */
  readonly project: string;
  /** Null when it has no role. */
  readonly role: ProjectRole | null;
  /** Null when it is not limited by scopes. */
  readonly scopes: readonly string[] | null;
}

/** Whether there is a credential that the service accepts. @returns it, or the check that failed. */
export async function findCredential(client: Client, token: string | null): Promise<CredentialResponse | Check> {
  if (token === null) return failed('credential', 'There is no credential.', 'Set AGATE_TOKEN, or use agate login.');
  if (isToken(token) && !isCompleteToken(token)) {
    return failed('credential', 'The token is not complete: its checksum is wrong.', 'Copy the whole token again.');
  }
  try {
    return await client.request('GET /credential');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401
      ? failed('credential', 'The service does not accept the token: it was revoked, or it expired.', NEW_TOKEN)
      : failed('credential', `The token could not be checked: ${error.message}`, 'Try again in a moment.');
  }
}

/** Describes a valid credential and its expiry. */
export function credentialCheck(
  { kind, name, organization, project, expires_at }: CredentialResponse,
  now: number,
): Check {
  const named = name === null ? `This ${KINDS[kind]}` : `The ${KINDS[kind]} "${name}"`;
  const where = [project?.name, organization?.name].filter(Boolean).join(' of ');
  const text = `${named}${where === '' ? '' : ` for ${where}`}`;
  if (kind === 'session' || expires_at === null) return ok('credential', `${text} is valid.`);
  const days = Math.floor((Date.parse(expires_at) - now) / DAY_MS);
  const day = expires_at.slice(0, 10);
  if (days >= FEW_DAYS) return ok('credential', `${text} is valid until ${day}.`);
  return warning('credential', `${text} expires in ${days} ${days === 1 ? 'day' : 'days'}, on ${day}.`, NEW_TOKEN);
}

/** The permissions of a credential in a project. @throws ApiError when the project cannot be read. */
export async function permissionsOf(
  client: Client,
  credential: CredentialResponse,
  scope: ProjectScope,
): Promise<Permissions> {
  const { organization, project, role, developer, scopes } = credential;
  if (organization && project) {
    return {
      organizationId: organization.id,
      plan: organization.plan,
      projectId: project.id,
      project: project.name,
      role,
      scopes,
    };
  }
  return {
    ...(await rolesOf(client, developer?.id ?? '', scope)),
    scopes,
  };
}

async function rolesOf(
  client: Client,
  developerId: string,
  { organization_id: organizationId = '', project_id: projectId = '' }: ProjectScope,
): Promise<Omit<Permissions, 'scopes'>> {
  const path = { project_id: projectId };
  const query = { organization_id: organizationId };
  const [organizations, { name }, member] = await Promise.all([
    client.request('GET /organizations'),
    client.request('GET /projects/{project_id}', { path, query }),
    client
      .request('GET /projects/{project_id}/members/{developer_id}', {
        path: { ...path, developer_id: developerId },
        query,
      })
      .catch(() => null),
  ]);
  const found = organizations.find(({ id }) => id === organizationId);
  const role = effectiveProjectRole({ organization: found?.roles ?? [], project: member?.role ?? null });
  return { organizationId, plan: found?.plan ?? 'team', projectId, project: name, role };
}

export function uploadPermissionCheck(permissions: Permissions): Check {
  const missing = missingFor(permissions, 'UPLOAD_BUILD', 'builds:upload');
  if (missing === null) return ok('may_upload', `It may upload to ${permissions.project}.`);
  return failed('may_upload', `It may not upload to ${permissions.project}: ${missing}.`, NEW_TOKEN);
}

/** @param isWanted whether a channel is configured, so that uploads would fail. */
export function promotePermissionCheck(permissions: Permissions, { plans }: ServiceResponse, isWanted: boolean): Check {
  const name = 'may_promote';
  const problem = isWanted ? failed : warning;
  const plan = plans.find((offer) => offer.plan === permissions.plan);
  if (plan && !plan.features.includes('channels')) {
    return problem(name, `The plan ${plan.plan} has no channels.`, 'Upload without --channel, or change the plan.');
  }
  const missing = missingFor(permissions, 'MANAGE_RELEASES', 'releases:write');
  if (missing === null) return ok(name, 'It may promote builds to channels.');
  return problem(
    name,
    `It may not promote builds to channels: ${missing}.`,
    `${NEW_TOKEN} Uploads without --channel work.`,
  );
}

/** Whether the configured channels exist. */
export async function channelsCheck(names: readonly string[], find: () => Promise<unknown>): Promise<Check> {
  if (names.length === 0) return skipped('channels', 'No channel is configured.');
  try {
    await find();
    return ok('channels', `The ${names.length === 1 ? 'channel' : 'channels'} ${names.join(', ')} can be used.`);
  } catch (error) {
    if (!(error instanceof CliError || error instanceof ApiError)) throw error;
    return failed('channels', error.message, 'Correct the name, or create the channel with agate channels create.');
  }
}

function missingFor({ role, scopes }: Permissions, needed: ProjectRole, scope: string): string | null {
  if (!includesProjectRole(role, needed)) return `it has the role ${role ?? 'none'}, and needs ${needed}`;
  return scopes === null || scopes.includes(scope) ? null : `it lacks the scope ${scope}`;
}
