import { includesRole } from '#kernel/access/roles';
import { type TokenCredential } from '../agent-api';
import { DANGER_TOOLS } from './danger-tools';
import { READ_TOOLS } from './read-tools';
import { type AgentTool, existsFor, type Toolset, TOOLSETS } from './tool';
import { WRITE_TOOLS } from './write-tools';

/** All tools, for the server and for the command line, which shows those of the server. */
export const ALL_TOOLS: readonly AgentTool[] = [...READ_TOOLS, ...WRITE_TOOLS, ...DANGER_TOOLS];

/** The toolsets that a client names: `read,write`. Without a header only `read`. Unknown names are ignored. */
export function toolsetsOf(header: string | undefined): ReadonlySet<Toolset> {
  const named = (header ?? 'read').split(',').map((each) => each.trim());
  return new Set(TOOLSETS.filter((each) => named.includes(each)));
}

/** The tools that exist for a token: those of its toolsets that its scopes or its role allow. */
export const toolsFor = (credential: TokenCredential, toolsets: ReadonlySet<Toolset>): readonly AgentTool[] =>
  ALL_TOOLS.filter((tool) => toolsets.has(tool.toolset) && existsFor(tool, credential, includesRole));
