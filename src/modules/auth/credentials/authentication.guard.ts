import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { LRUCache } from 'lru-cache';
import { firstValueFrom, isObservable } from 'rxjs';
import { type Caller } from '#kernel/access/caller';
import { type Parents } from '#kernel/access/policy';
import { type DeveloperIdentity, type Identity } from '#kernel/context/identity';
import { AppError } from '#kernel/errors/app-error';
import { ACCESS_KEY, type AccessRule, isCredentialAccess } from '#infra/http/access';
import { type AppRequest } from '#infra/http/request/app-request';
import { guardedParentsOf } from '#infra/http/request/parents';
import { PersonalAccessTokensService, ProjectAccessTokensService } from '#modules/tokens';
import { SessionsService } from '../sessions/sessions.service';
import { ACCESS_COOKIE, type Credential, credentialOf, refreshCookieOf, requireSingleCookies } from './credential';
import { CrossSiteGuard } from './cross-site.guard';
import { JwtStrategy } from './jwt.strategy';
import { SessionProofs } from './session-proofs';

type Claims = Readonly<Record<string, unknown>>;

/** The maximum number of remembered tokens. Each takes about 2 kB. */
const MAX_VERIFIED = 1_000;

/**
 * Authenticates a request by access JWT, personal access token or project access token. Reads in the same query the developer's roles, by
 * which the access guard decides later. Routes that are public or need an install link accept every request.
 */
@Injectable()
export class AuthenticationGuard extends AuthGuard() {
  /**
   * The claims of tokens that passport has accepted, because verifying a signature takes as long as the rest of the authentication.
   * Passport would accept them again: the strategy compares them only with constants and the keys of this process. `SessionsService`
   * checks expiry and session at each request.
   */
  private readonly verified = new LRUCache<string, Claims>({ max: MAX_VERIFIED });

  constructor(
    private readonly reflector: Reflector,
    private readonly personalTokens: PersonalAccessTokensService,
    private readonly projectTokens: ProjectAccessTokensService,
    private readonly crossSite: CrossSiteGuard,
    private readonly sessions: SessionsService,
    private readonly proofs: SessionProofs,
    strategy: JwtStrategy,
  ) {
    super({ defaultStrategy: strategy.registeredName });
  }

  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_KEY, execution.getHandler());
    const request = execution.switchToHttp().getRequest<AppRequest>();
    if (!rule || !isCredentialAccess(rule)) return true;
    const credential = credentialOf(request);
    try {
      if (!credential) {
        requireSingleCookies(request, ACCESS_COOKIE);
        throw new AppError('unauthorized');
      }
      const caller = await this.identify(execution, credential, guardedParentsOf(request, rule));
      if (!caller) throw new AppError('unauthorized');
      request.context = { ...request.context, identity: caller.identity };
      request.accessFacts = caller.accessFacts;
    } catch (error) {
      const identity = rule.orRefreshToken && isUnauthorized(error) && (await this.identifyByRefreshToken(request));
      if (!identity) throw error;
      request.context = { ...request.context, identity };
    }
    if (credential?.fromCookie) this.crossSite.check(request);
    return true;
  }

  /** Translates the outcome of passport into the claims of the token or an `AppError`. */
  override handleRequest<TUser = Claims>(error: unknown, claims: TUser | false): TUser {
    if (error instanceof AppError || (error instanceof Error && !claims && error.name !== 'JsonWebTokenError'))
      throw error;
    if (!claims) throw new AppError('unauthorized');
    return claims;
  }

  /** Null when the credential is not valid. */
  private async identify(
    execution: ExecutionContext,
    { value, fromCookie }: Credential,
    parents: Parents,
  ): Promise<Caller | null> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const isToken = value.startsWith('ag_') && !fromCookie;
    if (isToken && value.startsWith('ag_pat_')) return this.personalTokens.resolve(request.context, value, parents);
    if (isToken) {
      const identity = await this.projectTokens.resolve(request.context, value);
      return identity && { identity };
    }
    // The strategy rejects a token in the cookie, because it is not a JWT.
    const claims = this.verified.get(value) ?? (await this.verify(execution, value));
    const caller = await this.sessions.resolve(request.context, claims, parents);
    return caller && fromCookie && !this.isProven(request, caller.identity) ? null : caller;
  }

  /** Lets passport verify the access token of a request. @throws AppError unauthorized */
  private async verify(execution: ExecutionContext, token: string): Promise<Claims> {
    const result = super.canActivate(execution);
    await (isObservable(result) ? firstValueFrom(result) : result);
    const claims = execution.switchToHttp().getRequest<AppRequest>().user as Claims;
    this.verified.set(token, claims);
    return claims;
  }

  /** The guard of the login routes checks where a request with the cookie comes from. */
  private async identifyByRefreshToken(request: AppRequest): Promise<Identity | null> {
    const { refresh_token: sent } = (request.body ?? {}) as { refresh_token?: unknown };
    if (sent !== undefined) return this.sessions.ownerOf(request.context, sent);
    const owner = await this.sessions.ownerOf(request.context, refreshCookieOf(request));
    return owner && this.isProven(request, owner) ? owner : null;
  }

  private isProven(request: AppRequest, { sessionId }: DeveloperIdentity): boolean {
    return this.proofs.accepts(request, sessionId);
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof AppError && error.errorCase === 'unauthorized';
