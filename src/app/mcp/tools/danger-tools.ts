import { z } from 'zod';
import { buildInList, release, tester } from './shapes';
import { type AgentTool, type Answer, ARGUMENTS, defineTool, ids, pick, SENTENCES } from './tool';

const { projectId: project_id, channelId: channel_id, releaseId: release_id, confirmation } = ARGUMENTS;
const danger = { toolset: 'danger', idempotent: true } as const;
/** The options of a request with an idempotency key. */
const once = (key: string | undefined): { readonly key?: string } => (key === undefined ? {} : { key });

const deleteBuilds = defineTool({
  ...danger,
  name: 'delete_builds',
  title: 'Delete builds',
  description: `Moves builds to the trash, which deletes their files after seven days. A build that is pinned or current in a channel stays. ${SENTENCES.confirmed}`,
  input: z.strictObject({ project_id, build_ids: ids.describe('Ids of the builds.'), confirmation }),
  needs: { scope: 'builds:write', role: 'MANAGE_RELEASES' },
  preview: async (api, input) => {
    const scope = api.scopeOf(input);
    const builds = await Promise.all(input.build_ids.map((id) => api.get(`/builds/${id}`, scope)));
    return {
      deletes: builds.map((build) => pick(buildInList(build), 'id', 'platform', 'version', 'build_number', 'channels')),
    };
  },
  run: async (api, input, key) => ({
    ...(await api.request<Answer>('POST', '/builds/delete', api.scopeOf(input), {
      body: { ids: input.build_ids },
      ...once(key),
    })),
  }),
});

const withdrawRelease = defineTool({
  ...danger,
  name: 'withdraw_release',
  title: 'Withdraw a release',
  description: `Takes a release back from its channel, so that testers get the one before. The build stays. ${SENTENCES.confirmed}`,
  input: z.strictObject({ project_id, channel_id, release_id, confirmation }),
  needs: { scope: 'releases:write', role: 'MANAGE_RELEASES' },
  preview: async (api, input) => {
    const query = { ...api.scopeOf(input), channel_id: input.channel_id };
    return { withdraws: release(await api.get(`/releases/${input.release_id}`, query)) };
  },
  run: async (api, input, key) => {
    const query = { ...api.scopeOf(input), channel_id: input.channel_id };
    await api.request('DELETE', `/releases/${input.release_id}`, query, once(key));
    return { withdrawn: true, release_id: input.release_id };
  },
});

const removeTesters = defineTool({
  ...danger,
  name: 'remove_testers',
  title: 'Remove testers',
  description: `Erases testers of a project, with their addresses, subscriptions and links. ${SENTENCES.confirmed}`,
  input: z.strictObject({ project_id, tester_ids: ids.describe('Ids of the testers.'), confirmation }),
  needs: { scope: 'testers:write', role: 'MANAGE_TESTERS' },
  preview: async (api, input) => {
    const scope = api.scopeOf(input);
    if (!(api.credential.scopes?.includes('testers:read') ?? true)) return { erases: input.tester_ids.length };
    const testers = await Promise.all(input.tester_ids.map((id) => api.get(`/testers/${id}`, scope)));
    return { erases: testers.map((each) => pick(tester(each), 'id', 'email', 'name', 'state')) };
  },
  run: async (api, input, key) => {
    const body = { action: 'erase', tester_ids: input.tester_ids };
    return { ...(await api.request<Answer>('POST', '/testers/bulk', api.scopeOf(input), { body, ...once(key) })) };
  },
});

/** The tools that remove something. Each call needs a confirmation. */
export const DANGER_TOOLS: readonly AgentTool[] = [deleteBuilds, withdrawRelease, removeTesters];
