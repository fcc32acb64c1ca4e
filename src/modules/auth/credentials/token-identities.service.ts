import { Injectable } from '@nestjs/common';
import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { PersonalAccessTokensService, ProjectAccessTokensService } from '#modules/tokens';

/** Resolves personal and project access tokens. */
@Injectable()
export class TokenIdentitiesService {
  constructor(
    private readonly personal: PersonalAccessTokensService,
    private readonly project: ProjectAccessTokensService,
    private readonly developers: DevelopersService,
  ) {}

  /** @returns null when the token is malformed, unknown, expired or revoked. */
  resolve(ctx: RequestContext, token: string): Promise<Identity | null> {
    return token.startsWith('ag_pat_') ? this.resolvePersonal(ctx, token) : this.project.resolve(ctx, token);
  }

  /** A personal access token stays valid when its owner's password changes, but not when the account is deleted. */
  private async resolvePersonal(ctx: RequestContext, token: string): Promise<Identity | null> {
    const claim = await this.personal.resolve(ctx, token);
    const owner = claim && (await this.developers.findSessionHolder(ctx, claim.developerId));
    if (!claim || !owner) return null;
    const { email, emailVerified } = owner.developer;
    return { ...claim, email, emailVerified };
  }
}
