import { z } from 'zod';
import { type AgentApi } from '../agent-api';
import { OwnText } from '../answers/untrusted';
import { buildInList, release, wholeBuild } from './shapes';
import { type AgentTool, type Answer, ARGUMENTS, defineTool, SENTENCES } from './tool';

const { projectId: project_id, buildId: build_id, channelId: channel_id, confirmation } = ARGUMENTS;
const write = { toolset: 'write' } as const;

/** Addresses of parts in one answer. */
const MAX_PARTS = 10;

interface Upload {
  readonly id: string;
  readonly file_name: string;
  readonly size_bytes: number;
  readonly part_size_bytes: number;
  readonly parts: readonly { readonly part_number: number; readonly size_bytes: number; readonly arrived: boolean }[];
}

interface PartUrls {
  readonly urls: readonly { readonly part_number: number; readonly size_bytes: number; readonly url: string }[];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command that sends one part of a file. */
const commandFor = (
  { file_name, part_size_bytes }: Upload,
  { part_number, size_bytes, url }: PartUrls['urls'][number],
): OwnText =>
  new OwnText(
    `tail -c +${(part_number - 1) * part_size_bytes + 1} ${quoted(`./${file_name}`)} | head -c ${size_bytes} | curl --fail -X PUT -H 'Content-Type: application/octet-stream' --data-binary @- ${quoted(url)}`,
  );

/** The parts that are missing, with a command for each; the build when none is missing. */
async function continueUpload(api: AgentApi, scope: ReturnType<AgentApi['scopeOf']>, upload: Upload): Promise<Answer> {
  const missing = upload.parts.filter(({ arrived }) => !arrived).map(({ part_number }) => part_number);
  const path = `/builds/uploads/${upload.id}`;
  if (missing.length === 0) return { build: wholeBuild(await api.request('POST', `${path}/complete`, scope)) };
  const body = { part_numbers: missing.slice(0, MAX_PARTS), through: 'service' };
  const { urls } = await api.request<PartUrls>('POST', `${path}/part-urls`, scope, { body });
  return {
    upload_id: upload.id,
    missing_parts: missing.length,
    // Parts that the service receives have a path.
    commands: urls.map((part) =>
      commandFor(upload, { ...part, url: part.url.startsWith('/') ? api.baseUrl + part.url : part.url }),
    ),
    next: new OwnText(
      'Run the commands where the file is. Then call upload_build with upload_id: it answers further commands, or the build.',
    ),
  };
}

const uploadBuild = defineTool({
  ...write,
  name: 'upload_build',
  title: 'Upload a build',
  description:
    'Uploads a file (.ipa, .apk, .aab, .dmg, .pkg, .zip, .msi, .exe, .AppImage, .deb …) without its bytes passing through the model. First call: file_name and size_bytes; it answers a curl command for each part, valid for half an hour. Run them, then call again with upload_id; it answers the build. Nobody is mailed: promote_build shows the build to testers.',
  input: z.strictObject({
    project_id,
    file_name: z.string().min(1).max(255).describe('Name of the file, without folders.').optional(),
    size_bytes: z.int().min(1).describe('Size of the file.').optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Digest of the file; the upload fails if another file arrives.')
      .optional(),
    platform: ARGUMENTS.platform,
    version: z.string().max(100).describe('Only for files that do not contain their version.').optional(),
    notes: ARGUMENTS.notes.optional(),
    branch: z.string().max(255).optional(),
    commit: z.string().max(64).optional(),
    upload_id: z.uuid().describe('Of the first call, to continue.').optional(),
  }),
  needs: { scope: 'builds:upload', role: 'UPLOAD_BUILD' },
  run: async (api, { upload_id, project_id: named, ...announced }) => {
    const scope = api.scopeOf({ project_id: named });
    const upload =
      upload_id === undefined
        ? await api.request<Upload>('POST', '/builds/uploads', scope, { body: announced })
        : await api.get<Upload>(`/builds/uploads/${upload_id}`, scope);
    return continueUpload(api, scope, upload);
  },
});

const updateNotes = defineTool({
  ...write,
  name: 'update_notes',
  title: 'Change the notes of a build',
  description: 'Replaces the release notes of a build. Testers see them; nobody is mailed.',
  input: z.strictObject({ project_id, build_id, notes: ARGUMENTS.notes }),
  needs: { scope: 'builds:write', role: 'UPLOAD_BUILD' },
  idempotent: true,
  run: async (api, input) => {
    const body = { notes: input.notes };
    const build = await api.request<Answer>('PATCH', `/builds/${input.build_id}`, api.scopeOf(input), { body });
    return { build: wholeBuild(build) };
  },
});

const promoteBuild = defineTool({
  ...write,
  name: 'promote_build',
  title: 'Promote a build to a channel',
  description: `Makes a build the current one of a channel. By default nobody is mailed. With notify: true the subscribers are mailed about it. ${SENTENCES.confirmed.replace('Takes', 'That takes')}`,
  input: z.strictObject({
    project_id,
    channel_id,
    build_id,
    notes: ARGUMENTS.notes.describe('Notes of this release. Default: the notes of the build.').optional(),
    notify: z.boolean().default(false).describe('true: mails the subscribers of the channel.'),
    mandatory: z.boolean().describe('true: installed apps must update.').optional(),
    confirmation,
  }),
  needs: { scope: 'releases:write', role: 'MANAGE_RELEASES' },
  preview: async (api, input) => {
    if (!input.notify) return null;
    const scope = api.scopeOf(input);
    const { channel_id: channelId, build_id: buildId } = input;
    const [counts, build] = await Promise.all([
      api.get('/releases/recipients', { ...scope, channel_id: channelId, build_id: buildId }),
      api.get(`/builds/${buildId}`, scope),
    ]);
    return { mails: counts['recipients'], subscribers: counts['subscribers'], build: buildInList(build) };
  },
  run: async (api, input, key) => {
    const { channel_id: channelId, build_id: buildId, notes, notify, mandatory } = input;
    const body = { build_id: buildId, notes, notify, mandatory };
    const query = { ...api.scopeOf(input), channel_id: channelId };
    return { release: release(await api.request('POST', '/releases', query, { body, ...(key && { key }) })) };
  },
});

const addTesters = defineTool({
  ...write,
  name: 'add_testers',
  title: 'Add testers',
  description:
    'Adds up to 50 testers to a project, and with channel_id subscribes them to the channel: later releases that mail will mail them, too. This call mails nobody. People who unsubscribed stay unsubscribed.',
  input: z.strictObject({
    project_id,
    channel_id: channel_id.optional(),
    testers: z
      .array(z.strictObject({ email: z.string().max(320), name: z.string().max(100).optional() }))
      .min(1)
      .max(50),
  }),
  needs: { scope: 'testers:write', role: 'MANAGE_TESTERS' },
  idempotent: true,
  run: async (api, input) => {
    const query = { ...api.scopeOf(input), channel_id: input.channel_id };
    return { ...(await api.request<Answer>('POST', '/testers/batch', query, { body: { testers: input.testers } })) };
  },
});

/** The tools that change something, and delete nothing. */
export const WRITE_TOOLS: readonly AgentTool[] = [uploadBuild, updateNotes, promoteBuild, addTesters];
