import { type Client } from '@agate/client';
import { type ProjectScope } from '../settings/scope';
import { type Check, ok, warning } from './check';

const NAME = 'registration';

/**
 * Whether the package of the newest Android build is registered to a verified developer. Null when the service does not check it, or has no
 * answer yet.
 */
export async function registrationCheck(client: Client, scope: ProjectScope): Promise<Check | null> {
  const { items } = await client.request('GET /builds', { query: { ...scope, platform: 'android', limit: 1 } });
  const { app, signing } = items[0] ?? {};
  const state = signing?.registration?.state;
  if (state === 'registered')
    return ok(NAME, `${app?.bundle_id} is registered to a verified developer with the certificate of the last build.`);
  const problem = PROBLEMS.get(state ?? '');
  if (!problem) return null;
  return warning(
    NAME,
    `${app?.bundle_id} ${problem}, so Android refuses the last build in some countries.`,
    `Register it with the SHA-256 ${signing?.certificate_sha256} in the Android Developer Console or the Play Console.`,
  );
}

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['not_registered', 'is not registered to a verified developer'],
  ['other_certificate', 'is registered with another certificate'],
]);
