import { Injectable } from '@nestjs/common';
import { type Owner } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { DevelopersService, labelOf } from '#modules/developers';
import { ProjectAccessTokensRepository } from './project/project-access-tokens.repository';
import { type ProjectAccessToken } from './project/project-access-tokens.service';

/** The owner of a credential, with a name for people. */
export interface LabelledOwner extends Owner {
  /** Null when the developer's account or the token was deleted. */
  readonly label: string | null;
}

/** Names the owners of credentials. Rows hold only ids, so a name disappears with its account. */
@Injectable()
export class OwnerLabelsService {
  constructor(
    private readonly developers: DevelopersService,
    private readonly tokens: ProjectAccessTokensRepository,
  ) {}

  /**
   * Reads the names of developers, or their e-mail addresses when they have none, and of the project's access tokens, revoked ones too.
   * @returns a function that adds the label to one of the owners.
   */
  async read(
    ctx: RequestContext,
    scope: ProjectScope,
    owners: readonly Owner[],
  ): Promise<(owner: Owner) => LabelledOwner> {
    const developerIds = idsOf(owners, 'developer');
    const tokenIds = idsOf(owners, 'project_access_token');
    const developers = developerIds.length > 0 ? await this.developers.findMany(ctx, developerIds) : null;
    const tokens = tokenIds.length > 0 ? await this.tokens.findNames(ctx, scope, tokenIds) : null;
    return ({ kind, id }) => {
      const developer = kind === 'developer' ? developers?.get(id ?? '') : undefined;
      const token = kind === 'project_access_token' ? tokens?.get(id ?? '') : undefined;
      return { kind, id, label: labelOf(developer) ?? token ?? null };
    };
  }
}

const idsOf = (owners: readonly Owner[], wanted: string): string[] => [
  ...new Set(owners.flatMap(({ kind, id }) => (kind === wanted && id !== null ? [id] : []))),
];

/** A token with the name of its creator. */
export type LabelledToken<Token extends ProjectAccessToken = ProjectAccessToken> = Token & {
  /** Null after the account was deleted. */
  readonly createdByLabel: string | null;
};
