import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { digestOf, isLinkToken, newLinkToken } from '#kernel/access/token-format';
import { HttpConfig } from '#infra/config/config';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { Sealer } from '#infra/crypto/sealer';
import { type InstallLink, toInvite } from './install-link';
import { InstallLinksRepository, type SealedLink } from './install-links.repository';

/** So that nobody is flooded, whoever asks. Each invite takes two links. */
const LINKS_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

/** Some 300 bytes each. */
const MAX_URLS = 20_000;

export interface TesterLinkTarget {
  readonly buildId?: string | null;
  readonly channelId?: string | null;
}

/** Install links: the token in the path is the entire credential (specification §5). */
@Injectable()
export class InstallLinksService implements OnModuleInit {
  /** Of builds, by build id. */
  private readonly urls = new LRUCache<string, string>({ max: MAX_URLS });

  constructor(
    private readonly repository: InstallLinksRepository,
    private readonly sealer: Sealer,
    private readonly sealed: SealedColumns,
    private readonly config: HttpConfig,
  ) {}

  onModuleInit(): void {
    this.sealed.register({ table: 'invite', column: 'sealed_token', key: 'id', contextOf: sealContext });
  }

  /** Makes the permanent install link of a build. @returns its URL. */
  createForBuild(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<string> {
    return this.createLink(ctx, scope, { buildId, channelId: null });
  }

  /** Makes the install link of a channel, which lasts until it is replaced. @returns its URL. */
  createForChannel(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<string> {
    return this.createLink(ctx, scope, { buildId: null, channelId });
  }

  /** Gives a channel another link; the one before ends. The channel must be locked. @returns the new URL. */
  async replaceOfChannel(tx: RequestContext, scope: ProjectScope, channelId: string): Promise<string> {
    await this.repository.deleteOfChannel(tx, channelId);
    return this.createForChannel(tx, scope, channelId);
  }

  /**
   * Makes a link of a tester, to be mailed at once: afterwards nobody can know it, since only its digest is kept.
   * @param opens what it opens; neither: all that the tester is to see.
   * @returns its URL.
   */
  async createForTester(
    ctx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    opens: TesterLinkTarget = {},
  ): Promise<string> {
    const [url] = await this.createForTesters(ctx, scope, [testerId], opens);
    return url as string;
  }

  /** The same for many, in their order. */
  async createForTesters(
    ctx: RequestContext,
    scope: ProjectScope,
    testerIds: readonly string[],
    { buildId = null, channelId = null }: TesterLinkTarget,
  ): Promise<readonly string[]> {
    const tokens = testerIds.map(() => newLinkToken());
    const invites = testerIds.map((testerId, index) => ({
      ...scopeOf(scope),
      id: newId(),
      buildId,
      channelId,
      testerId,
      digest: digestOf(tokens[index] as string),
      sealedToken: null,
      spentAt: null,
      createdAt: ctx.clock.now(),
    }));
    await this.repository.insert(ctx, ...invites);
    return tokens.map((token) => this.urlOf(token));
  }

  /** Whether a tester was given so many links within the hour that they get no other, unless a release brings it. */
  async hasManyLinks(ctx: RequestContext, testerId: string): Promise<boolean> {
    const since = new Date(ctx.clock.now().getTime() - HOUR_MS);
    return (await this.repository.countOfTester(ctx, testerId, since)) >= LINKS_PER_HOUR;
  }

  /** Spends a token for the one state change that it allows; false when that has been made. */
  spend(ctx: RequestContext, inviteId: string): Promise<boolean> {
    return this.repository.spend(ctx, inviteId);
  }

  /** The install URLs of builds, by build id. A build keeps its link, so what was opened once need not be again. */
  async urlsOfBuilds(ctx: RequestContext, buildIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const urls = new Map<string, string>();
    for (const id of buildIds) {
      const url = this.urls.get(id);
      if (url !== undefined) urls.set(id, url);
    }
    const unknown = buildIds.filter((id) => !urls.has(id));
    for (const [id, url] of this.urlsOf(await this.repository.findLinks(ctx, 'buildId', unknown))) {
      this.urls.set(id, url);
      urls.set(id, url);
    }
    return urls;
  }

  /** The install URLs of channels, by channel id. */
  async urlsOfChannels(ctx: RequestContext, channelIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.urlsOf(await this.repository.findLinks(ctx, 'channelId', channelIds));
  }

  /** The builds that a tester was invited to one by one. */
  buildIdsOfTester(ctx: RequestContext, testerId: string): Promise<readonly string[]> {
    return this.repository.findBuildIdsOfTester(ctx, testerId);
  }

  /** What a token opens, or null for one that never was or is no more. */
  async resolve(ctx: RequestContext, token: string): Promise<InstallLink | null> {
    const row = isLinkToken(token) ? await this.repository.findByDigest(ctx, digestOf(token)) : null;
    return row && toInvite(row);
  }

  private async createLink(
    ctx: RequestContext,
    scope: ProjectScope,
    opens: { readonly buildId: string | null; readonly channelId: string | null },
  ): Promise<string> {
    const token = newLinkToken();
    const id = newId();
    await this.repository.insert(ctx, {
      ...scopeOf(scope),
      ...opens,
      id,
      testerId: null,
      digest: digestOf(token),
      sealedToken: this.sealer.seal(Buffer.from(token), sealContext(id)),
      spentAt: null,
      createdAt: ctx.clock.now(),
    });
    return this.urlOf(token);
  }

  private urlsOf(links: readonly SealedLink[]): ReadonlyMap<string, string> {
    return new Map(
      links.map(({ id, opens, sealedToken }) => [
        opens,
        this.urlOf(this.sealer.open(sealedToken, sealContext(id)).toString()),
      ]),
    );
  }

  private urlOf(token: string): string {
    return `${this.config.installBaseUrl}/install/${token}`;
  }
}

const sealContext = (inviteId: string): string => `invite|${inviteId}`;
