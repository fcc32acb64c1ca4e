import { resolve } from 'node:path';
import { type Platform, PLATFORMS } from '@agate/client';
import { type Context } from '../context';
import { usageError } from '../output/cli-error';
import { idsOf } from '../settings/scope';
import { findFiles } from '../upload/find-files';
import { rejectOutside } from '../upload/inside';
import { uploadBuild } from '../upload/upload-build';

export const UPLOAD_TOOL = 'upload_build';

const text = (description: string): object => ({ type: 'string', description });

/** The tool as agents on this machine see it: it takes a path instead of answering commands. */
export const LOCAL_UPLOAD_TOOL = {
  description:
    'Uploads a file below the current folder (.ipa, .apk, .aab, .dmg, .pkg, .zip, .msi, .exe, .AppImage, .deb …) and answers the build. Nobody is mailed: promote_build shows the build to testers.',
  inputSchema: {
    type: 'object',
    properties: {
      project_id: text('Id of the project. May be omitted with a project access token, which belongs to one project.'),
      path: text('Path of the file, below the current folder.'),
      notes: text('Release notes, which testers read.'),
      platform: { type: 'string', enum: PLATFORMS, description: 'Only for files that do not contain it.' },
      version: text('Only for files that do not contain their version.'),
      branch: text('Branch of the source code.'),
      commit: text('Commit of the source code.'),
    },
    required: ['path'],
    additionalProperties: false,
  },
} as const;

const PARALLEL = 4;

/** Uploads the file that an agent names. @returns the id of its build. @throws ApiError or CliError */
export async function uploadForAgent(
  context: Context,
  { path, project_id: projectId, platform, ...given }: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (typeof path !== 'string') throw usageError('`path` is missing: name a file below the current folder.');
  const { cwd } = context.process;
  const file = resolve(cwd, path);
  rejectOutside(cwd, file);
  const [found] = findFiles([file], cwd);
  if (!found) throw usageError(`There is no build at ${path}.`);
  const texts = Object.entries(given).filter(
    (each): each is [string, string] =>
      ['notes', 'version', 'branch', 'commit'].includes(each[0]) && typeof each[1] === 'string',
  );
  const fields = { ...Object.fromEntries(texts), ...(isPlatform(platform) && { platform }) };
  const { build } = await uploadBuild(await contextFor(context, projectId), found, {
    fields,
    channels: [],
    silent: true,
    attachments: [],
    kind: undefined,
    parallel: PARALLEL,
    isNew: false,
    drops: false,
  });
  return build.id;
}

const isPlatform = (value: unknown): value is Platform => PLATFORMS.some((each) => each === value);

/** The context of the project that the agent names. @throws CliError when the token belongs to another one. */
async function contextFor(context: Context, projectId: unknown): Promise<Context> {
  if (typeof projectId !== 'string') return context;
  const named = context.forProject(projectId);
  const ids = await idsOf(await named.client(), await named.scope());
  if (ids.project_id !== projectId) throw usageError('This token belongs to another project.');
  return named;
}
