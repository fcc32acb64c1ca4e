import { Injectable } from '@nestjs/common';
import { type PatScope } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AccessService } from '#modules/access';
import { type Found } from './found';
import { SearchRepository } from './search.repository';

/** The maximum number of words of a query. Further words are ignored. */
const MAX_WORDS = 8;

/** The scope that a personal access token needs to find a kind. */
const SCOPES: Readonly<Record<keyof Found, PatScope>> = {
  projects: 'projects:read',
  builds: 'builds:read',
  channels: 'channels:read',
  testers: 'testers:read',
};
const KINDS = Object.keys(SCOPES) as (keyof Found)[];
const NOTHING: Found = { projects: [], builds: [], channels: [], testers: [] };

/** Finds projects, builds, channels and testers of an organization by text. */
@Injectable()
export class SearchService {
  constructor(
    private readonly repository: SearchRepository,
    private readonly access: AccessService,
  ) {}

  /**
   * Up to five results of each kind, among the objects that the caller may list: in the projects in which they have a role, and with a
   * personal access token only the kinds that its scopes include.
   * @param text every word must be found, in any letter case. A text without words has no results.
   */
  async search(ctx: RequestContext, organizationId: string, text: string): Promise<Found> {
    const words = text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
    const { implied, own } = await this.access.memberRoles(ctx, organizationId);
    const projectIds = implied === null ? [...own.keys()] : null;
    const kinds = KINDS.filter((kind) => mayUse(ctx, SCOPES[kind]));
    if (words.length === 0 || projectIds?.length === 0 || kinds.length === 0) return NOTHING;
    return this.repository.find(ctx, { organizationId, projectIds, words }, kinds);
  }
}

function mayUse(ctx: RequestContext, scope: PatScope): boolean {
  const identity = developerOf(ctx);
  return identity.kind === 'jwt' || identity.scopes.includes(scope);
}
