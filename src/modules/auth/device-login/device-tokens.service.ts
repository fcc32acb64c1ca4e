import { Injectable } from '@nestjs/common';
import { digestOf } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { DevelopersService } from '#modules/developers';
import { type NewPersonalAccessToken, PersonalAccessTokensService } from '#modules/tokens';
import { SessionsRepository } from '../sessions/sessions.repository';
import { pollRejected, type PollRejection, SLOW_DOWN_SECONDS } from './device-login';
import { type DeviceLoginEntity, DeviceLoginsRepository } from './device-logins.repository';

const TOKEN_DAYS = 90;
/** A request may be this much too early, because networks delay requests by different times. */
const LEEWAY_MS = 1_000;

type Outcome = { readonly token: NewPersonalAccessToken } | { readonly rejection: PollRejection };

/** Hands out the tokens of confirmed logins, each once. */
@Injectable()
export class DeviceTokensService {
  constructor(
    private readonly repository: DeviceLoginsRepository,
    private readonly tokens: PersonalAccessTokensService,
    private readonly developers: DevelopersService,
    private readonly sessions: SessionsRepository,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError operation_not_allowed with a `PollRejection` as its reason; quota_exceeded */
  async take(ctx: RequestContext, deviceCode: string): Promise<NewPersonalAccessToken> {
    // The transaction commits in every case: it keeps the time of the request and the interval.
    const outcome = await this.transactions.run(ctx, (tx) => this.answer(tx, digestOf(deviceCode)));
    if ('token' in outcome) return outcome.token;
    throw pollRejected(outcome.rejection);
  }

  private async answer(tx: RequestContext, deviceDigest: Buffer): Promise<Outcome> {
    const login = await this.repository.lock(tx, { deviceDigest });
    if (!login || login.usedAt !== null || login.expiresAt <= tx.clock.now()) return { rejection: 'expired_token' };
    if (login.decision === 'denied') return { rejection: 'access_denied' };
    return login.decision === 'confirmed' ? this.handOut(tx, login) : this.wait(tx, login);
  }

  private async wait(tx: RequestContext, login: DeviceLoginEntity): Promise<Outcome> {
    const polledAt = tx.clock.now();
    const waitedMs = polledAt.getTime() - (login.polledAt?.getTime() ?? -Infinity);
    const tooFast = waitedMs < login.intervalSeconds * 1_000 - LEEWAY_MS;
    const intervalSeconds = login.intervalSeconds + (tooFast ? SLOW_DOWN_SECONDS : 0);
    await this.repository.update(tx, login, { polledAt, intervalSeconds });
    return { rejection: tooFast ? 'slow_down' : 'authorization_pending' };
  }

  /** Acts for the developer who confirmed. Access is denied when the session of the confirmation has ended, or the account is suspended. */
  private async handOut(tx: RequestContext, login: DeviceLoginEntity): Promise<Outcome> {
    const owner = await this.developers.lockSessionHolder(tx, login.developerId!);
    const session = { developerId: login.developerId!, sessionId: login.sessionId };
    if (!owner || !(await this.sessions.lockOpen(tx, { ...session, minIssuedAt: owner.minIssuedAt })))
      return { rejection: 'access_denied' };
    const { id: developerId, email, emailVerified } = owner.developer;
    const now = tx.clock.now();
    await this.repository.update(tx, login, { usedAt: now });
    const token = await this.tokens.create(
      { ...tx, identity: { kind: 'jwt', developerId, email, emailVerified, sessionId: null } },
      login.organizationId!,
      {
        name: `agate on ${login.host}`,
        scopes: login.scopes,
        expiresAt: new Date(now.getTime() + TOKEN_DAYS * 86_400_000),
      },
    );
    return { token };
  }
}
