import { Injectable } from '@nestjs/common';
import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { PersonalAccessTokensService, ProjectAccessTokensService } from '#modules/tokens';

/** Who a long-lived token speaks for. */
@Injectable()
export class TokenIdentities {
  constructor(
    private readonly personal: PersonalAccessTokensService,
    private readonly project: ProjectAccessTokensService,
    private readonly developers: DevelopersService,
  ) {}

  /** Null for a token that is mistyped, made up, expired or revoked. */
  resolve(ctx: RequestContext, token: string): Promise<Identity | null> {
    return token.startsWith('ag_pat_') ? this.resolvePersonal(ctx, token) : this.project.resolve(ctx, token);
  }

  /** A personal token survives the rotation of its owner's password, but not its owner. */
  private async resolvePersonal(ctx: RequestContext, token: string): Promise<Identity | null> {
    const claim = await this.personal.resolve(ctx, token);
    const owner = claim && (await this.developers.findSessionHolder(ctx, claim.developerId));
    if (!claim || !owner) return null;
    const { email, emailVerified } = owner.developer;
    return { ...claim, email, emailVerified };
  }
}
