import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { firstValueFrom, isObservable } from 'rxjs';
import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ACCESS_KEY, type AccessRule, isCredentialAccess } from '#infra/http/access';
import { type AppRequest } from '#infra/http/request/app-request';
import { SessionsService } from '../sessions/sessions.service';
import { type Credential, credentialOf, refreshCookieOf } from './credential';
import { CrossSiteGuard } from './cross-site.guard';
import { JwtStrategy } from './jwt.strategy';
import { TokenIdentitiesService } from './token-identities.service';

/**
 * Authenticates a request by access JWT, personal access token or project access token. Routes that are public or need an
 * install link accept every request.
 */
@Injectable()
export class AuthenticationGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokenIdentitiesService,
    private readonly crossSite: CrossSiteGuard,
    private readonly sessions: SessionsService,
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
      if (!credential) throw new AppError('unauthorized');
      request.context = { ...request.context, identity: await this.identify(execution, request, credential) };
    } catch (error) {
      const identity = rule.orRefreshToken && isUnauthorized(error) && (await this.identifyByRefreshToken(request));
      if (!identity) throw error;
      request.context = { ...request.context, identity };
    }
    if (credential?.fromCookie) this.crossSite.check(request);
    return true;
  }

  /** Translates the outcome of passport into an identity or an `AppError`. */
  override handleRequest<TUser = Identity>(error: unknown, identity: TUser | false): TUser {
    if (error instanceof AppError || (error instanceof Error && !identity && error.name !== 'JsonWebTokenError'))
      throw error;
    if (!identity) throw new AppError('unauthorized');
    return identity;
  }

  private async identify(execution: ExecutionContext, request: AppRequest, credential: Credential): Promise<Identity> {
    const isToken = credential.value.startsWith('ag_');
    if (isToken && !credential.fromCookie) return this.identifyToken(request.context, credential.value);
    // The strategy rejects a token in the cookie, because it is not a JWT.
    const result = super.canActivate(execution);
    await (isObservable(result) ? firstValueFrom(result) : result);
    return (request.user as Identity | undefined) ?? ANONYMOUS;
  }

  /** The guard of the login routes checks where a request with the cookie comes from. */
  private identifyByRefreshToken(request: AppRequest): Promise<Identity | null> {
    const { refresh_token: sent } = (request.body ?? {}) as { refresh_token?: unknown };
    return this.sessions.ownerOf(request.context, sent ?? refreshCookieOf(request));
  }

  private async identifyToken(ctx: RequestContext, token: string): Promise<Identity> {
    const identity = await this.tokens.resolve(ctx, token);
    if (!identity) throw new AppError('unauthorized');
    return identity;
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof AppError && error.errorCase === 'unauthorized';
