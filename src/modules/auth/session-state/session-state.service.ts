import { Injectable } from '@nestjs/common';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type Developer, DevelopersService, SecondFactorsService } from '#modules/developers';
import { type Organization, OrganizationsService } from '#modules/organizations';
import { AccessTokensService } from '../credentials/access-tokens.service';
import { SessionsService } from '../sessions/sessions.service';

export const SESSION_STATES = ['active', 'expired', 'none'] as const;
export type SessionStateName = (typeof SESSION_STATES)[number];

/** Whether the cookies of a browser are those of a session. `expired`: only the refresh token is valid, so a refresh would succeed. */
export type SessionState =
  | { readonly state: 'expired' | 'none' }
  | {
      readonly state: 'active';
      readonly developer: Developer;
      readonly mfaEnabled: boolean;
      readonly organizations: readonly Organization[];
    };

/** The values of the session's cookies. They may be missing or forged. */
interface SentCookies {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** Whether the cookies may stand for a session. */
  readonly accepts: (sessionId: DeveloperIdentity['sessionId']) => boolean;
}

/** Tells a web page whether its browser has a session, without rejecting the request. */
@Injectable()
export class SessionStateService {
  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly sessions: SessionsService,
    private readonly developers: DevelopersService,
    private readonly factors: SecondFactorsService,
    private readonly organizations: OrganizationsService,
  ) {}

  /** The refresh token stays unused. */
  async find(ctx: RequestContext, { accessToken, refreshToken, accepts }: SentCookies): Promise<SessionState> {
    const identity = await this.identify(ctx, accessToken);
    if (identity && accepts(identity.sessionId)) return this.stateOf({ ...ctx, identity }, identity);
    const owner = await this.sessions.ownerOf(ctx, refreshToken);
    return { state: owner && accepts(owner.sessionId) ? 'expired' : 'none' };
  }

  private async identify(ctx: RequestContext, accessToken: string | undefined): Promise<DeveloperIdentity | null> {
    const payload = accessToken === undefined ? null : this.accessTokens.verify(accessToken);
    const caller = payload && (await this.sessions.resolve(ctx, payload, { organizationId: null, projectId: null }));
    return caller?.identity ?? null;
  }

  private async stateOf(ctx: RequestContext, { developerId }: DeveloperIdentity): Promise<SessionState> {
    return {
      state: 'active',
      developer: await this.developers.get(ctx, developerId),
      mfaEnabled: await this.factors.isEnabled(ctx, developerId),
      organizations: await this.organizations.list(ctx),
    };
  }
}
