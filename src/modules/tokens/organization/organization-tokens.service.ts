import { Injectable } from '@nestjs/common';
import { hasOrganizationRole, roleInProject } from '#kernel/access/policy';
import { includesRole } from '#kernel/access/roles';
import { digestOf, isWellFormedToken } from '#kernel/access/token-format';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AccessService } from '#modules/access';
import { DevelopersService, labelOf } from '#modules/developers';
import { ProjectsService } from '#modules/projects';
import { type AccessTokenEntity } from '../lifetime/access-token.entity';
import { isUnexpired } from '../lifetime/token-expiry';
import { type LabelledToken } from '../owner-labels.service';
import { PersonalAccessTokensRepository } from '../personal/personal-access-tokens.repository';
import { ProjectAccessTokenCreatorsService } from '../project/project-access-token-creators.service';
import {
  type OrganizationTokenFilter,
  ProjectAccessTokensRepository,
} from '../project/project-access-tokens.repository';
import { ProjectAccessTokensService } from '../project/project-access-tokens.service';
import { type IdentifiedToken, type TokenState } from './token-identification';

/** A project access token with the name of its project. */
export type OrganizationToken = LabelledToken & { readonly projectName: string };

/** The access tokens of an organization, over all projects. */
@Injectable()
export class OrganizationTokensService {
  constructor(
    private readonly tokens: ProjectAccessTokensService,
    private readonly creators: ProjectAccessTokenCreatorsService,
    private readonly projectTokens: ProjectAccessTokensRepository,
    private readonly personalTokens: PersonalAccessTokensRepository,
    private readonly projects: ProjectsService,
    private readonly developers: DevelopersService,
    private readonly access: AccessService,
  ) {}

  /** The tokens of all projects, newest first, including expired ones. */
  async list(
    ctx: RequestContext,
    organizationId: string,
    filter: OrganizationTokenFilter,
    request: PageRequest,
  ): Promise<Page<OrganizationToken>> {
    const page = await this.tokens.listOfOrganization(ctx, organizationId, filter, request);
    const items = await this.creators.many(ctx, page.items);
    const ids = items.map(({ projectId }) => projectId);
    const names = await this.projects.findNames(ctx, organizationId, ids);
    return { ...page, items: items.map((token) => ({ ...token, projectName: names.get(token.projectId) ?? '' })) };
  }

  /**
   * The token of the organization that a value belongs to, also when the value no longer works. Only for callers who see the token in a
   * list: project access tokens with UPLOAD_BUILD in their project, personal access tokens of their own, and as ADMIN those of all members.
   * @throws AppError not_found, also for tokens that the caller may not see.
   */
  async identify(ctx: RequestContext, organizationId: string, value: string): Promise<IdentifiedToken> {
    const found = isWellFormedToken(value, 'ag_prj_')
      ? await this.identifyProjectToken(ctx, organizationId, digestOf(value))
      : isWellFormedToken(value, 'ag_pat_')
        ? await this.identifyPersonalToken(ctx, organizationId, digestOf(value))
        : null;
    if (!found) throw unknownToken();
    return found;
  }

  private async identifyProjectToken(
    ctx: RequestContext,
    organizationId: string,
    digest: Buffer,
  ): Promise<IdentifiedToken | null> {
    const token = await this.projectTokens.findAnyByDigest(ctx, organizationId, digest);
    if (!token) return null;
    const held = roleInProject(await this.access.memberRoles(ctx, organizationId), token.projectId);
    if (!includesRole(held, 'UPLOAD_BUILD')) return null;
    const names = await this.projects.findNames(ctx, organizationId, [token.projectId]);
    const isCurrent = digest.equals(token.digest) || token.previousUntil! > ctx.clock.now();
    return {
      ...token,
      kind: 'project_access_token',
      state: stateOf(ctx, token, isCurrent),
      projectName: names.get(token.projectId) ?? null,
      developerLabel: await this.labelOf(ctx, token.createdBy),
    };
  }

  private async identifyPersonalToken(
    ctx: RequestContext,
    organizationId: string,
    digest: Buffer,
  ): Promise<IdentifiedToken | null> {
    const token = await this.personalTokens.findAnyByDigest(ctx, organizationId, digest);
    if (!token) return null;
    const isOwn = token.developerId === developerOf(ctx).developerId;
    if (!isOwn && !hasOrganizationRole(await this.access.memberRoles(ctx, organizationId), 'ADMIN')) return null;
    return {
      ...token,
      kind: 'personal_access_token',
      state: stateOf(ctx, token, true),
      projectId: null,
      projectName: null,
      role: null,
      developerLabel: await this.labelOf(ctx, token.developerId),
    };
  }

  private async labelOf(ctx: RequestContext, developerId: string | null): Promise<string | null> {
    if (developerId === null) return null;
    return labelOf((await this.developers.findMany(ctx, [developerId])).get(developerId));
  }
}

function stateOf(ctx: RequestContext, { revokedAt, expiresAt }: AccessTokenEntity, isCurrent: boolean): TokenState {
  if (revokedAt !== null) return 'revoked';
  if (!isUnexpired(ctx, expiresAt)) return 'expired';
  return isCurrent ? 'valid' : 'replaced';
}

const unknownToken = (): AppError =>
  new AppError('not_found', { message: 'No token of this organization that you may see has this value.' });
