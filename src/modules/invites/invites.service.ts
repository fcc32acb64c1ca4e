import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids/ids';
import { type ProjectScope } from '#kernel/scope/scope';
import { digestOf, isLinkToken, newLinkToken } from '#kernel/tokens/token-format';
import { HttpConfig } from '#platform/config/config';
import { Sealer } from '#platform/crypto/sealer';
import { InvitesRepository } from './invites.repository';

/** What an install link opens. */
export interface Invite extends ProjectScope {
  readonly id: string;
  readonly buildId: string;
}

/** Install links: the token in the path is the entire credential (specification §5). */
@Injectable()
export class InvitesService {
  constructor(
    private readonly repository: InvitesRepository,
    private readonly sealer: Sealer,
    private readonly config: HttpConfig,
  ) {}

  /** Makes the permanent install link of a build. @returns its URL. */
  async createForBuild(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<string> {
    const token = newLinkToken();
    const id = newId();
    const sealedToken = this.sealer.seal(Buffer.from(token), sealContext(id));
    await this.repository.insert(ctx, {
      ...scope,
      id,
      buildId,
      digest: digestOf(token),
      sealedToken,
      createdAt: ctx.clock.now(),
    });
    return this.urlOf(token);
  }

  /** The install URLs of builds, by build id. */
  async urlsOf(ctx: RequestContext, buildIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const invites = await this.repository.findByBuilds(ctx, buildIds);
    return new Map(
      invites.map(({ id, buildId, sealedToken }) => [
        buildId,
        this.urlOf(this.sealer.open(sealedToken, sealContext(id)).toString()),
      ]),
    );
  }

  /** What a token opens, or null for one that never was or is no more. */
  async resolve(ctx: RequestContext, token: string): Promise<Invite | null> {
    return isLinkToken(token) ? this.repository.findByDigest(ctx, digestOf(token)) : null;
  }

  private urlOf(token: string): string {
    return `${this.config.installBaseUrl}/install/${token}`;
  }
}

const sealContext = (inviteId: string): string => `invite|${inviteId}`;
