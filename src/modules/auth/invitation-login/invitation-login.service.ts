import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type Language } from '#kernel/text/language';
import { type Developer, DevelopersService } from '#modules/developers';
import { InvitationsService } from '#modules/organizations';
import { SessionsService, type TokenPair } from '../sessions/sessions.service';

interface InvitedSignUp {
  readonly token: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly language: Language;
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
}

/** The first session of a person who joins by the mailed link of an invitation. */
export interface JoinedSession extends TokenPair {
  readonly email: string;
}

/** Signs up, joins and logs in with the token of an invitation, which proves the address: no second mail is needed. */
@Injectable()
export class InvitationLoginService {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly developers: DevelopersService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * The token is checked before the password is hashed, which is expensive.
   * @throws AppError invalid_input when the invitation cannot be accepted; already_exists when the address has a verified account, whose
   * owner logs in instead.
   */
  async logIn(ctx: RequestContext, { token, userAgent, ...account }: InvitedSignUp): Promise<JoinedSession> {
    const { email } = await this.invitations.findUsable(ctx, token);
    return this.developers.signUpProven(ctx, { ...account, email }, async (tx, developer) => {
      await this.invitations.accept(actingAs(tx, developer), token);
      return { email, ...(await this.sessions.start(tx, developer, { userAgent, isKnownDevice: false })) };
    });
  }
}

/** The context of the new account, whose session does not exist yet. */
const actingAs = (tx: RequestContext, { id: developerId, email, emailVerified }: Developer): RequestContext => ({
  ...tx,
  identity: { kind: 'jwt', developerId, email, emailVerified, sessionId: null },
});
