import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Hook } from '#kernel/hook';

/** Revokes all personal access tokens of a developer, in the caller's transaction. The module of the tokens adds the handler. */
@Injectable()
export class TokenRevocation extends Hook<[tx: RequestContext, developerId: string]> {}
