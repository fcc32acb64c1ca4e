import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Hook } from '#kernel/hook';
import { SignUpConfig } from '#infra/config/config';

/** Decides by `SIGN_UP` who may sign up. */
@Injectable()
export class SignUpPolicyService {
  /** Whether an address has an open invitation. Modules that invite people know that. */
  readonly isInvited = new Hook<[RequestContext, email: string], boolean>();

  constructor(private readonly config: SignUpConfig) {}

  async admits(ctx: RequestContext, email: string): Promise<boolean> {
    switch (this.config.mode) {
      case 'open':
        return true;
      case 'closed':
        return false;
      case 'domains':
        return this.config.hasDomain(email);
      case 'invited':
        return (await this.isInvited.run(ctx, email)).includes(true);
    }
  }
}
