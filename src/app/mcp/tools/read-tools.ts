import { z } from 'zod';
import { includesRole } from '#kernel/access/roles';
import { ERROR_CATALOGUE, type ErrorCode, type ErrorEntry } from '#kernel/errors/catalogue';
import { type AgentApi, type TokenCredential } from '../agent-api';
import { OwnText } from '../answers/untrusted';
import { buildInList, channel, release, tester, wholeBuild } from './shapes';
import {
  type AgentTool,
  type Answer,
  ARGUMENTS,
  defineTool,
  type ListPage,
  pageOf,
  pageOfProject,
  pick,
  SENTENCES,
} from './tool';

const { projectId: project_id, buildId, channelId, platform } = ARGUMENTS;
const read = { toolset: 'read' } as const;
const builds = { scope: 'builds:read', role: 'VIEW_PROJECT' } as const;
const channels = { scope: 'channels:read', role: 'VIEW_PROJECT' } as const;
const releases = { scope: 'releases:read', role: 'VIEW_PROJECT' } as const;

const whoami = defineTool({
  ...read,
  name: 'whoami',
  title: 'Whose token this is',
  description: 'The token of this connection, with its organization, project, role, scopes and expiry. Call it first.',
  input: z.strictObject({}),
  run: (api) => Promise.resolve({ ...api.credential }),
});

const project = (value: Answer): Answer => pick(value, 'id', 'organization_id', 'name', 'language', 'created_at');

const listProjects = defineTool({
  ...read,
  name: 'list_projects',
  title: 'List projects',
  description: `The projects (apps) that the token may see. ${SENTENCES.untrusted}`,
  input: z.strictObject({ q: z.string().max(100).describe('Part of the name.').optional(), ...ARGUMENTS.page }),
  needs: { scope: 'projects:read', role: 'VIEW_PROJECT' },
  run: async (api, { q, limit, cursor }) => {
    if (api.ownProjectId !== undefined)
      return { items: [project(await api.get(`/projects/${api.ownProjectId}`))], next_cursor: null };
    const query = { organization_id: api.organizationId, q, limit, cursor };
    return pageOf(await api.get<ListPage>('/projects', query), project);
  },
});

const listBuilds = defineTool({
  ...read,
  name: 'list_builds',
  title: 'List builds',
  description: `The builds of a project, newest first, with warnings as codes: explain_error and get_build say more. ${SENTENCES.untrusted}`,
  input: z.strictObject({
    ...pageOfProject,
    platform,
    q: z.string().max(100).describe('Part of version, build number, file name or branch.').optional(),
    branch: z.string().max(255).optional(),
    commit: z.string().max(64).optional(),
    channel_id: channelId.optional(),
    has_warnings: z.boolean().describe('true: only builds with warnings.').optional(),
  }),
  needs: builds,
  run: async (api, input) =>
    pageOf(await api.get<ListPage>('/builds', { ...input, ...api.scopeOf(input) }), buildInList),
});

const getBuild = defineTool({
  ...read,
  name: 'get_build',
  title: 'Get a build',
  description: `A build: app, signing, warnings with their explanation, source, channels and downloads. ${SENTENCES.untrusted}`,
  input: z.strictObject({ project_id, build_id: buildId }),
  needs: builds,
  run: async (api, input) => ({ build: wholeBuild(await api.get(`/builds/${input.build_id}`, api.scopeOf(input))) }),
});

const compareBuilds = defineTool({
  ...read,
  name: 'compare_builds',
  title: 'Compare two builds',
  description: `What changed between two builds: version, size, signing, permissions, files and commits. ${SENTENCES.untrusted}`,
  input: z.strictObject({
    project_id,
    build_id: buildId,
    with_build_id: buildId.describe('Id of the build to compare with, usually the older one.'),
  }),
  needs: builds,
  run: async (api, input) => ({
    changes: await api.get(`/builds/${input.build_id}/compare`, { ...api.scopeOf(input), with: input.with_build_id }),
  }),
});

const listChannels = defineTool({
  ...read,
  name: 'list_channels',
  title: 'List channels',
  description: `The channels of a project with the current build of each platform and the number of subscribers. ${SENTENCES.untrusted}`,
  input: z.strictObject(pageOfProject),
  needs: channels,
  run: async (api, input) => pageOf(await api.get<ListPage>('/channels', { ...input, ...api.scopeOf(input) }), channel),
});

const getChannel = defineTool({
  ...read,
  name: 'get_channel',
  title: 'Get a channel',
  description: `A channel with its current builds and the number of its subscribers. ${SENTENCES.untrusted}`,
  input: z.strictObject({ project_id, channel_id: channelId }),
  needs: channels,
  run: async (api, input) => ({ channel: channel(await api.get(`/channels/${input.channel_id}`, api.scopeOf(input))) }),
});

const listReleases = defineTool({
  ...read,
  name: 'list_releases',
  title: 'List releases',
  description: `The promotions of builds to channels, newest first: of one channel, or of the whole project. ${SENTENCES.untrusted}`,
  input: z.strictObject({ ...pageOfProject, channel_id: channelId.optional(), platform }),
  needs: releases,
  run: async (api, input) => {
    const scope = api.scopeOf(input);
    const { limit, cursor, platform: of, channel_id } = input;
    const page =
      channel_id === undefined
        ? await api.get<ListPage>(`/projects/${scope.project_id}/releases`, {
            organization_id: scope.organization_id,
            limit,
            cursor,
            platform: of,
          })
        : await api.get<ListPage>('/releases', { ...scope, channel_id, limit, cursor, platform: of });
    return pageOf(page, release);
  },
});

const releaseFunnel = defineTool({
  ...read,
  name: 'release_funnel',
  title: 'Who has a build',
  description: 'How many testers were mailed about a build, opened its page, downloaded it, and run it.',
  input: z.strictObject({ project_id, build_id: buildId }),
  needs: builds,
  run: async (api, input) => ({ ...(await api.get(`/builds/${input.build_id}/funnel`, api.scopeOf(input))) }),
});

const mayShowAddresses = ({ scopes, role }: TokenCredential): boolean =>
  scopes === null ? includesRole(role, 'MANAGE_TESTERS') : scopes.includes('testers:read');

const listTesters = defineTool({
  ...read,
  name: 'list_testers',
  title: 'List testers',
  description: `The testers of a project and what each did with the current build. E-mail addresses are masked unless show_addresses is true. ${SENTENCES.untrusted}`,
  input: z.strictObject({
    ...pageOfProject,
    q: z.string().max(100).describe('Part of the name or address.').optional(),
    channel_id: channelId.optional(),
    show_addresses: z.boolean().default(false).describe('true: whole e-mail addresses, if the person needs them.'),
  }),
  needs: { scope: 'testers:read', role: 'VIEW_PROJECT' },
  showsAddresses: ({ show_addresses }, credential) => show_addresses && mayShowAddresses(credential),
  run: async (api, { show_addresses: _show, ...input }) =>
    pageOf(await api.get<ListPage>('/testers', { ...input, ...api.scopeOf(input) }), tester),
});

/** The use of money; null when the token or its developer may not see it. */
async function spending(api: AgentApi): Promise<unknown> {
  if (!api.credential.scopes?.includes('billing:read')) return null;
  const { days: _days, ...sums } = await api.get(`/organizations/${api.organizationId}/usage`);
  return sums;
}

const usage = defineTool({
  ...read,
  name: 'usage',
  title: 'Usage and quotas',
  description:
    'Quotas of a project, or without project_id of the organization, and with the scope billing:read the spending of this month in millionths of a dollar.',
  input: z.strictObject({ project_id }),
  needs: { scope: 'organization:read', role: 'VIEW_PROJECT' },
  run: async (api, { project_id: named }) => {
    const projectId = named ?? api.ownProjectId;
    const quotas =
      projectId === undefined
        ? await api.get(`/organizations/${api.organizationId}/quotas`)
        : await api.get(`/projects/${projectId}/quotas`, { organization_id: api.organizationId });
    return { ...quotas, spending: await spending(api) };
  },
});

const search = defineTool({
  ...read,
  name: 'search',
  title: 'Search',
  description: `Finds projects, builds, channels and testers of the organization by name, version or branch. ${SENTENCES.untrusted}`,
  input: z.strictObject({ q: z.string().min(2).max(100).describe('Part of a name, version, branch or address.') }),
  needs: { scope: 'projects:read', role: null },
  run: async (api, { q }) => ({ found: await api.get('/search', { organization_id: api.organizationId, q }) }),
});

const CODES = [...new Set(Object.values(ERROR_CATALOGUE).map(({ code }: ErrorEntry) => code))] as [
  ErrorCode,
  ...ErrorCode[],
];

const explainError = defineTool({
  ...read,
  name: 'explain_error',
  title: 'Explain an error',
  description: 'What an error code of this service means and what to do about it.',
  input: z.strictObject({ code: z.enum(CODES).describe('The code of an error.') }),
  run: (_api, { code }) =>
    Promise.resolve({
      code,
      cases: Object.values(ERROR_CATALOGUE)
        .filter((entry: ErrorEntry) => entry.code === code)
        .map(({ status, message }) => ({ status, message: new OwnText(message) })),
      page: new OwnText(`/help/errors/${code}`),
    }),
});

/** The tools that only read. */
export const READ_TOOLS: readonly AgentTool[] = [
  whoami,
  listProjects,
  listBuilds,
  getBuild,
  compareBuilds,
  listChannels,
  getChannel,
  listReleases,
  releaseFunnel,
  listTesters,
  usage,
  search,
  explainError,
];
