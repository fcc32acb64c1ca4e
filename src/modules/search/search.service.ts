import { Injectable } from '@nestjs/common';
import { type PatScope } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AccessService } from '#modules/access';
import { type Found } from './found';
import { SearchRepository } from './search.repository';

/** Further words of a query are ignored. */
const MAX_WORDS = 8;

/** Finds projects, builds, channels and testers of an organization by text. */
@Injectable()
export class SearchService {
  constructor(
    private readonly repository: SearchRepository,
    private readonly access: AccessService,
  ) {}

  /**
   * Up to five results of each kind, among what the caller may list: in the projects in which they have a role, and with a personal access
   * token only the kinds that its scopes include.
   * @param text every word must be found, in any letter case. Nothing is found without a word.
   */
  async search(ctx: RequestContext, organizationId: string, text: string): Promise<Found> {
    const words = text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
    const { implied, own } = await this.access.memberRoles(ctx, organizationId);
    const projectIds = implied === null ? [...own.keys()] : null;
    const isEmpty = words.length === 0 || projectIds?.length === 0;
    const request = { organizationId, projectIds, words };
    const listIf = <T>(scope: PatScope, list: () => Promise<T[]>): Promise<T[]> =>
      isEmpty || !mayUse(ctx, scope) ? Promise.resolve([]) : list();
    const [projects, builds, channels, testers] = await Promise.all([
      listIf('projects:read', () => this.repository.projects(ctx, request)),
      listIf('builds:read', () => this.repository.builds(ctx, request)),
      listIf('channels:read', () => this.repository.channels(ctx, request)),
      listIf('testers:read', () => this.repository.testers(ctx, request)),
    ]);
    return { projects, builds, channels, testers };
  }
}

function mayUse(ctx: RequestContext, scope: PatScope): boolean {
  const identity = developerOf(ctx);
  return identity.kind === 'jwt' || identity.scopes.includes(scope);
}
