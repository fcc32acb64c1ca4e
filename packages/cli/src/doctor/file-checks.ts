import { type FileHandle, open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type BuildResponse, type Client, type Platform, type ServiceResponse } from '@agate/client';
import { type ProjectScope } from '../settings/scope';
import { containsValue, MANIFESTS } from './bundle-id';
import { type Check, failed, ok, skipped, warning } from './check';
import { readZipEntry } from './zip-entry';

const PLATFORM_OF: Readonly<Record<string, Platform>> = { '.ipa': 'ios', '.apk': 'android', '.aab': 'android' };
const MB = 1_000_000;

/** What is known about the builds of the project. */
export interface Expected {
  readonly service: ServiceResponse;
  /** The bundle id of the project by platform. Null: not known. */
  readonly bundleIdOf: (platform: Platform) => Promise<string | null>;
}

/** Whether a file will be accepted: its kind, its size and its app. */
export async function fileChecks(path: string, { service, bundleIdOf }: Expected): Promise<Check[]> {
  const kind = extname(path).toLowerCase();
  const file = await open(path).catch((error: Error) => error);
  if (file instanceof Error) return [failed('file', `${path} cannot be read: ${file.message}`, 'Correct the path.')];
  try {
    const { size } = await file.stat();
    const first = sizeCheck(path, size, service);
    if (first.state === 'failed') return [first];
    const platform = PLATFORM_OF[kind];
    if (!platform) return [first, unreadableKind(kind)];
    return [first, await appCheck(file, kind, await bundleIdOf(platform))];
  } finally {
    await file.close();
  }
}

function sizeCheck(path: string, size: number, { max_upload_bytes: max }: ServiceResponse): Check {
  const name = basename(path);
  if (size === 0) return failed('file', `${name} is empty.`, 'Check the step that makes it.');
  if (size <= max)
    return ok('file', `${name} has ${(size / MB).toFixed(1)} MB, of at most ${Math.floor(max / MB)} MB.`);
  return failed(
    'file',
    `${name} has ${(size / MB).toFixed(1)} MB. The service accepts at most ${Math.floor(max / MB)} MB.`,
    'Have the operator raise MAX_UPLOAD_BYTES, or make the file smaller.',
  );
}

const unreadableKind = (kind: string): Check =>
  warning(
    'app',
    `Files of the kind "${kind}" say nothing about their app.`,
    'Use agate upload with --version and --platform.',
  );

async function appCheck(file: FileHandle, kind: string, bundleId: string | null): Promise<Check> {
  let manifest;
  try {
    manifest = await readZipEntry(file, MANIFESTS[kind]!);
  } catch (error) {
    return failed('app', `The file is damaged: it has ${(error as Error).message}.`, 'Make the file again.');
  }
  if (!manifest) return failed('app', `The file is no ${kind}: it contains no app.`, 'Check the step that makes it.');
  if (bundleId === null) return skipped('app', 'The project accepts any app of this platform so far.');
  if (containsValue(manifest, bundleId)) return ok('app', `The file contains ${bundleId}, the app of the project.`);
  return failed(
    'app',
    `The file is of another app than ${bundleId}, the app of the project.`,
    'Upload it to another project, or let this one accept any bundle id.',
  );
}

/** The bundle id that a project accepts for a platform. Null when it accepts any, or has no build yet. */
export async function bundleIdOf(
  client: Client,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  scope: ProjectScope,
  platform: Platform,
): Promise<string | null> {
  const path = { project_id: projectId };
  const project = await client.request('GET /projects/{project_id}', {
    path,
    query: { organization_id: organizationId },
  });
  if (project.allow_any_bundle_id) return null;
  const { items } = await client.request('GET /builds', { query: { ...scope, platform, limit: 1 } });
  const newest: BuildResponse | undefined = items[0];
  return newest?.app.bundle_id ?? null;
}
