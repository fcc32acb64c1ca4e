import { Injectable } from '@nestjs/common';
import { type PatScope, type ProjectRole } from '#kernel/access/roles';
import { type DeveloperIdentity, type PatIdentity, type ProjectTokenIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type Developer, DevelopersService } from '#modules/developers';
import { OrganizationsService, type OrganizationSummary } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { PersonalAccessTokensService, ProjectAccessTokensService } from '#modules/tokens';

export const CREDENTIAL_KINDS = ['session', 'personal_access_token', 'project_access_token'] as const;
export type CredentialKindName = (typeof CREDENTIAL_KINDS)[number];

/** The credential of a request, and its permissions. */
export interface CurrentCredential {
  readonly kind: CredentialKindName;
  /** Id of the token; of the session for a session. Null for a session of an earlier release. */
  readonly id: string | null;
  /** Null for a session. */
  readonly name: string | null;
  /** Whom the credential acts for. Null for a project access token, which acts for itself. */
  readonly developer: Developer | null;
  /** The organization that the token is bound to. Null for a session, which is bound to none. */
  readonly organization: OrganizationSummary | null;
  /** Null unless it is a project access token. */
  readonly project: { readonly id: string; readonly name: string } | null;
  /** Null unless it is a project access token. */
  readonly role: ProjectRole | null;
  /** Null unless it is a personal access token. */
  readonly scopes: readonly PatScope[] | null;
  /** Null when it is valid until it is revoked. */
  readonly expiresAt: Date | null;
}

/** Describes the credential of a request to its holder. */
@Injectable()
export class CurrentCredentialService {
  constructor(
    private readonly personal: PersonalAccessTokensService,
    private readonly project: ProjectAccessTokensService,
    private readonly developers: DevelopersService,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * @param value the token as it was sent: after a rotation with an overlap, the old and the new value expire at different times.
   * @param sessionExpiry when the access token of a session expires.
   * @throws AppError unauthorized when the credential was revoked since it was authenticated.
   */
  find(ctx: RequestContext, value: string, sessionExpiry: Date | null): Promise<CurrentCredential> {
    const { identity } = ctx;
    switch (identity.kind) {
      case 'jwt':
        return this.ofSession(ctx, identity, sessionExpiry);
      case 'pat':
        return this.ofPersonalToken(ctx, identity, value);
      case 'project-token':
        return this.ofProjectToken(ctx, identity, value);
      default:
        throw new AppError('unauthorized');
    }
  }

  private async ofSession(
    ctx: RequestContext,
    { developerId, sessionId }: DeveloperIdentity,
    expiresAt: Date | null,
  ): Promise<CurrentCredential> {
    return {
      kind: 'session',
      id: sessionId ?? null,
      name: null,
      developer: await this.developers.get(ctx, developerId),
      organization: null,
      project: null,
      role: null,
      scopes: null,
      expiresAt,
    };
  }

  private async ofPersonalToken(
    ctx: RequestContext,
    { developerId, organizationId }: PatIdentity,
    value: string,
  ): Promise<CurrentCredential> {
    const token = await this.personal.find(ctx, value);
    const organization = await this.organizations.findSummary(ctx, organizationId);
    if (!token || !organization) throw new AppError('unauthorized');
    return {
      kind: 'personal_access_token',
      id: token.id,
      name: token.name,
      developer: await this.developers.get(ctx, developerId),
      organization,
      project: null,
      role: null,
      scopes: token.scopes,
      expiresAt: token.expiresAt,
    };
  }

  private async ofProjectToken(
    ctx: RequestContext,
    scope: ProjectTokenIdentity,
    value: string,
  ): Promise<CurrentCredential> {
    const token = await this.project.find(ctx, value);
    const organization = await this.organizations.findSummary(ctx, scope.organizationId);
    if (!token || !organization) throw new AppError('unauthorized');
    const { id, name } = await this.projects.get(ctx, scope);
    return {
      kind: 'project_access_token',
      id: token.id,
      name: token.name,
      developer: null,
      organization,
      project: { id, name },
      role: token.role,
      scopes: null,
      expiresAt: token.expiresAt,
    };
  }
}
