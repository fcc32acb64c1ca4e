import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ApiError } from '@agate/client';
import { findChannels } from '../builds/channels';
import { type Context } from '../context';
import { proxiesOf, proxyFor } from '../network/proxy';
import { CliError } from '../output/cli-error';
import { resolveScope } from '../settings/scope';
import { type Settings } from '../settings/settings';
import { findFiles } from '../upload/find-files';
import { VERSION } from '../version';
import { type Check, failed } from './check';
import { certificateCheck, installHostCheck, nameCheck } from './connection-checks';
import {
  channelsCheck,
  credentialCheck,
  findCredential,
  permissionsOf,
  promotePermissionCheck,
  uploadPermissionCheck,
} from './credential-checks';
import { bundleIdOf, fileChecks } from './file-checks';
import { openUploadsCheck } from './open-uploads-check';
import { registrationCheck } from './registration-check';
import { authoritiesCheck, nodeCheck, proxyCheck } from './runtime-checks';
import { clockCheck, findService, type FoundService, probingClient, readyCheck, versionCheck } from './service-checks';
import { uploadCheck } from './upload-check';

export interface Examination {
  /** A file that is to be uploaded. */
  readonly file: string | undefined;
  readonly channels: readonly string[];
  /** Whether to send one byte as a test upload. */
  readonly uploads: boolean;
}

/** Checks everything that an upload depends on. Stops when a failed check makes the others impossible. */
export async function examine(context: Context, examination: Examination): Promise<Check[]> {
  const checks: Check[] = [nodeCheck(process.versions.node)];
  const authorities = authoritiesCheck(context.environment);
  if (authorities) checks.push(authorities);
  const settings = await context.settings().catch(asCheck('settings', 'Correct the setting.'));
  if ('state' in settings) return [...checks, settings];
  const found = await connectionChecks(context, settings, checks);
  if (found) await projectChecks(context, settings, { ...examination, found, checks });
  return checks;
}

/** @returns the service; null when it cannot be reached. */
async function connectionChecks(
  context: Context,
  { url: address }: Settings,
  checks: Check[],
): Promise<FoundService | null> {
  const { now } = context.process;
  const url = new URL(address);
  const proxies = proxiesOf(context.environment);
  const proxy = proxyFor(url, proxies);
  checks.push(proxyCheck(url, proxies), await nameCheck(url, proxy));
  if (checks.at(-1)!.state === 'failed') return null;
  checks.push(await certificateCheck(url, proxy, now()));
  if (checks.at(-1)!.state === 'failed') return null;
  const found = await findService(address, now);
  if ('state' in found) {
    checks.push(found);
    return null;
  }
  const { service, aheadMs } = found;
  checks.push(
    await readyCheck(probingClient(address)),
    versionCheck(VERSION, service),
    clockCheck(aheadMs),
    await installHostCheck(service.install_base_url, (host) => proxyFor(host, proxies), now()),
  );
  return found;
}

async function projectChecks(
  context: Context,
  settings: Settings,
  examination: Examination & { readonly found: FoundService; readonly checks: Check[] },
): Promise<void> {
  const { file, channels, uploads, found, checks } = examination;
  const client = probingClient(settings.url, settings.token ?? undefined);
  const credential = await findCredential(client, settings.token);
  if ('state' in credential) return void checks.push(credential);
  checks.push(credentialCheck(credential, context.process.now()));
  const asProjectCheck = asCheck('project', 'Correct the name or id with --project and --organization.');
  const scope = await resolveScope(client, settings).catch(asProjectCheck);
  if ('state' in scope) return void checks.push(scope);
  const permissions = await permissionsOf(client, credential, scope).catch(asProjectCheck);
  if ('state' in permissions) return void checks.push(permissions);
  checks.push(
    uploadPermissionCheck(permissions),
    promotePermissionCheck(permissions, found.service, channels.length > 0),
    await channelsCheck(channels, () => findChannels(context, channels)),
  );
  const openUploads = await openUploadsCheck(client, permissions.organizationId);
  if (openUploads) checks.push(openUploads);
  const registration = await registrationCheck(client, scope);
  if (registration) checks.push(registration);
  if (file !== undefined) {
    const expected = {
      service: found.service,
      bundleIdOf: (platform: Parameters<typeof bundleIdOf>[3]) => bundleIdOf(client, permissions, scope, platform),
    };
    for (const path of pathsOf(file, context.process.cwd)) {
      if (typeof path === 'string') checks.push(...(await fileChecks(path, expected)));
      else checks.push(path);
    }
  }
  if (uploads) checks.push(await uploadCheck(client, settings.url, scope));
}

/** The files that `agate upload` takes for a path: a folder stands for the builds in it. Or the check that failed. */
function pathsOf(given: string, cwd: string): (string | Check)[] {
  const path = resolve(cwd, given);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  try {
    return findFiles([given], cwd).map((file) => file.path);
  } catch (error) {
    if (error instanceof CliError) return [failed('file', error.message, 'Check the step that makes it.')];
    throw error;
  }
}

const asCheck =
  (name: string, remedy: string) =>
  (error: unknown): Check => {
    if (error instanceof CliError || error instanceof ApiError) return failed(name, error.message, remedy);
    throw error;
  };
