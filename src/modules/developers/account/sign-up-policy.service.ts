import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { SignUpConfig } from '#infra/config/config';

/** Whether an address has an open invitation. */
export type InvitationCheck = (ctx: RequestContext, email: string) => Promise<boolean>;

/** Decides by `SIGN_UP` who may sign up. */
@Injectable()
export class SignUpPolicyService {
  private readonly invitations: InvitationCheck[] = [];

  constructor(private readonly config: SignUpConfig) {}

  /** Registers a check. A module that invites people calls this in `onModuleInit`. */
  admitInvited(check: InvitationCheck): void {
    this.invitations.push(check);
  }

  async admits(ctx: RequestContext, email: string): Promise<boolean> {
    switch (this.config.mode) {
      case 'open':
        return true;
      case 'closed':
        return false;
      case 'domains':
        return this.config.hasDomain(email);
      case 'invited': {
        const invited = await Promise.all(this.invitations.map((check) => check(ctx, email)));
        return invited.includes(true);
      }
    }
  }
}
