import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { browserNameOf } from '#kernel/text/browser-name';
import { DevelopersRepository } from '../../developers.repository';
import { DeveloperMailsService } from './developer-mails.service';

/** Mails the owner of an account about its use, so that they notice an attacker. */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly developers: DevelopersRepository,
    private readonly mails: DeveloperMailsService,
  ) {}

  /** Reports a login from a network without an earlier session. */
  async newSession(tx: RequestContext, developerId: string, userAgent: string | undefined): Promise<void> {
    const owner = await this.developers.findById(tx, developerId);
    if (owner) await this.mails.newSession(tx, owner, browserNameOf(userAgent));
  }

  /** Reports a new personal access token. */
  async newToken(
    tx: RequestContext,
    developerId: string,
    token: { readonly last4: string; readonly scopes: readonly string[] },
  ): Promise<void> {
    const owner = await this.developers.findById(tx, developerId);
    if (owner) await this.mails.newToken(tx, owner, token);
  }

  /** Reports that the owner, or an attacker with their password, switched the second factor on or off. */
  async secondFactor(tx: RequestContext, developerId: string, state: 'on' | 'off'): Promise<void> {
    const owner = await this.developers.findById(tx, developerId);
    if (owner) await this.mails.secondFactorChanged(tx, owner, state);
  }
}
