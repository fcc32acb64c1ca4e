import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { digestOf, isLinkToken, newLinkToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { HttpConfig } from '#infra/config/config';
import { ListedSecrets } from '#infra/crypto/listed-secrets';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { Sealer } from '#infra/crypto/sealer';
import { type InsertedRow } from '#infra/database/sql';
import { Jobs } from '#infra/jobs/jobs';
import {
  InstallLinkEntity,
  InstallLinksRepository,
  type LinkState,
  type LinkTarget,
  type ResolvedRow,
  type RuledToken,
  type SealedLink,
  type SealedToken,
} from './install-links.repository';

/** What all links have. */
interface CommonLink extends ProjectScope {
  readonly id: string;
  /** What the link was when it was read, to find out later whether it changed. */
  readonly state: LinkState;
  /** The link whose rules restrict it, null when none do. */
  readonly ruledBy: string | null;
}

/** A permanent link of one build. */
export interface BuildInstallLink extends CommonLink {
  readonly kind: 'build';
  readonly buildId: string;
}

/** A link of a channel. It opens the channel's current releases. */
export interface ChannelInstallLink extends CommonLink {
  readonly kind: 'channel';
  readonly channelId: string;
}

/** A link mailed to one tester. It opens a build, a channel or, when both ids are null, every build that the tester may install. */
export interface TesterInstallLink extends CommonLink {
  readonly kind: 'tester';
  readonly testerId: string;
  readonly buildId: string | null;
  readonly channelId: string | null;
  /** When the link made its one change (subscribe, unsubscribe, decline), null when it has not. */
  readonly usedAt: Date | null;
  /** When the link was last opened, exact to a day; null before. */
  readonly lastOpenedAt: Date | null;
}

export type InstallLink = BuildInstallLink | ChannelInstallLink | TesterInstallLink;

/** The address of the QR code of an install link, which is a credential like the link itself. */
export const qrUrlOf = (installUrl: string | null): string | null => installUrl && `${installUrl}/qr.svg`;

/** The addresses of a link in responses. */
export interface LinkUrls {
  /** Null when the token cannot be decrypted. */
  readonly installUrl: string | null;
  /** Null also for a link with rules, whose files may need a grant. */
  readonly qrUrl: string | null;
}

export const NO_URLS: LinkUrls = { installUrl: null, qrUrl: null };

export const linkUrlsOf = (installUrl: string | null, ruleVersion: number | null): LinkUrls => ({
  installUrl,
  qrUrl: ruleVersion === null ? qrUrlOf(installUrl) : null,
});

function installLinkFromRow(row: ResolvedRow): InstallLink {
  const { id, organizationId, projectId, testerId, buildId, channelId, usedAt, lastOpenedAt, ruledBy } = row;
  const { digest, ruleVersion } = row;
  const common = { id, organizationId, projectId, state: { digest, ruleVersion }, ruledBy };
  if (testerId !== null) return { ...common, kind: 'tester', testerId, buildId, channelId, usedAt, lastOpenedAt };
  if (channelId !== null) return { ...common, kind: 'channel', channelId };
  // The constraint ck_invite_opens guarantees a build id.
  return { ...common, kind: 'build', buildId: buildId as string };
}

/** The maximum number of links per tester and hour, which limits mails to the tester. A mail that invites a tester contains two links. */
const LINKS_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

/** Openings are recorded at most once a day, so that a page does not write on every request. */
const OPENING_PRECISION_MS = 24 * HOUR_MS;

/** The maximum number of cached URLs, about 400 bytes each. */
const MAX_CACHED_URLS = 20_000;

/** An install link whose row is not inserted yet. */
export interface NewInstallLink {
  readonly inserted: InsertedRow;
  readonly url: string;
}

/** The object that a tester's link opens. Without an id: every build that the tester may install. */
interface TesterLinkTarget {
  readonly buildId?: string | null;
  readonly channelId?: string | null;
}

/** Install links. The token in the path is the entire credential. */
@Injectable()
export class InstallLinksService implements OnModuleInit {
  /** Ends the download tickets that a link minted, because its token was replaced. The builds module knows the tickets. */
  readonly replaced = new Hook<[tx: RequestContext, linkId: string]>();

  /** Ends the download tickets of a link that are not used yet, before its rules change. The builds module knows the tickets. */
  readonly rulesChanging = new Hook<[tx: RequestContext, linkId: string]>();

  /** Decrypted URLs, keyed by the encrypted token, which differs after a replacement. */
  private readonly cachedUrls = new LRUCache<string, string>({ max: MAX_CACHED_URLS });

  constructor(
    private readonly repository: InstallLinksRepository,
    private readonly sealer: Sealer,
    private readonly sealed: SealedColumns,
    private readonly secrets: ListedSecrets,
    private readonly config: HttpConfig,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('install-links.prune', '7 4 * * *', (ctx) => this.repository.prune(ctx));
    this.sealed.register({ table: 'invite', column: 'sealed_token', key: 'id', contextOf: sealContext });
  }

  /** The install link of a new build, valid until it is replaced. The caller inserts its row, together with the build. */
  newForBuild(ctx: RequestContext, scope: ProjectScope, buildId: string): NewInstallLink {
    const { row, url } = this.newLink(ctx, scope, { buildId, channelId: null });
    return { inserted: [InstallLinkEntity, row], url };
  }

  /** Creates the install link of a channel, valid until it is replaced. @returns its URL. */
  createForChannel(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<string> {
    return this.createLink(ctx, scope, { buildId: null, channelId });
  }

  /** Replaces the token of the default link of a channel. The caller must hold the channel's row lock. */
  replaceForChannel(tx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    return this.replaceDefault(tx, scope, { buildId: null, channelId });
  }

  /** Replaces the token of the default link of a build. The caller must hold the build's row lock. */
  replaceForBuild(tx: RequestContext, scope: ProjectScope, buildId: string): Promise<void> {
    return this.replaceDefault(tx, scope, { buildId, channelId: null });
  }

  /** Replaces the token of a link. The caller has locked the link. Download tickets that it minted end. */
  async replaceToken(tx: RequestContext, id: string): Promise<void> {
    const { digest, sealedToken } = this.newTokenFor(id);
    await this.repository.replaceToken(tx, id, { digest, sealedToken });
    await this.replaced.run(tx, id);
  }

  /** Locks the default link of a build or channel until the transaction ends. False when the project has no such object. */
  async lockDefault(tx: RequestContext, scope: ProjectScope, target: LinkTarget): Promise<boolean> {
    return (await this.repository.lockDefault(tx, scope, target)) !== null;
  }

  /** Prevents changes of a link until the transaction ends. False when it changed since it was read. */
  lock(tx: RequestContext, id: string, state: LinkState): Promise<boolean> {
    return this.repository.lock(tx, id, state);
  }

  /**
   * Creates a link of a tester. Only its digest is stored, so the returned URL is the only copy.
   * @returns its URL.
   */
  async createForTester(
    ctx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    target: TesterLinkTarget = {},
  ): Promise<string> {
    const [url] = await this.createForTesters(ctx, scope, [testerId], target);
    return url as string;
  }

  /** Creates one link for each tester. @returns their URLs in the order of `testerIds`. */
  async createForTesters(
    ctx: RequestContext,
    scope: ProjectScope,
    testerIds: readonly string[],
    { buildId = null, channelId = null }: TesterLinkTarget,
  ): Promise<readonly string[]> {
    const links = testerIds.map((testerId) => ({ id: newId(), testerId, token: newLinkToken() }));
    const digests = links.map(({ id, testerId, token }) => ({ id, testerId, digest: digestOf(token) }));
    await this.repository.insertForTesters(ctx, scope, { buildId, channelId }, digests);
    return links.map(({ token }) => this.urlWith(token));
  }

  /** Whether a tester got the maximum number of links within the last hour. Mails about releases do not check this. */
  async hasReachedHourlyLimit(ctx: RequestContext, testerId: string): Promise<boolean> {
    const since = new Date(ctx.clock.now().getTime() - HOUR_MS);
    return (await this.repository.countOfTester(ctx, testerId, since)) >= LINKS_PER_HOUR;
  }

  /** Records that a tester's link was opened. @returns false when that was recorded within the last day. */
  async recordOpening(ctx: RequestContext, { id, lastOpenedAt }: TesterInstallLink): Promise<boolean> {
    const before = new Date(ctx.clock.now().getTime() - OPENING_PRECISION_MS);
    if (lastOpenedAt !== null && lastOpenedAt > before) return false;
    return this.repository.recordOpening(ctx, id, before);
  }

  /** Marks a link as used for its one change. Atomic. @returns false when it was used before. */
  markUsed(ctx: RequestContext, linkId: string): Promise<boolean> {
    return this.repository.markUsed(ctx, linkId);
  }

  /** The addresses of the links of builds, keyed by build id. Missing ids are skipped. */
  async urlsOfBuilds(ctx: RequestContext, buildIds: readonly string[]): Promise<ReadonlyMap<string, LinkUrls>> {
    return this.byTarget(await this.repository.findLinks(ctx, 'buildId', buildIds));
  }

  /** Like `urlsOfBuilds`, keyed by channel id. */
  async urlsOfChannels(ctx: RequestContext, channelIds: readonly string[]): Promise<ReadonlyMap<string, LinkUrls>> {
    return this.byTarget(await this.repository.findLinks(ctx, 'channelId', channelIds));
  }

  /** The install URL of a link whose row another module has read; null when its token cannot be opened. */
  urlOf(link: SealedToken): string | null {
    return this.cachedUrlOf(link);
  }

  /** Like `urlOf`, with the QR code. */
  urlsOf(link: RuledToken): LinkUrls {
    return linkUrlsOf(this.cachedUrlOf(link), link.ruleVersion);
  }

  /** The times at which the last links of testers were created, by tester. Testers without a link are omitted. */
  lastOfTesters(ctx: RequestContext, testerIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    return this.repository.findLastOfTesters(ctx, testerIds);
  }

  /** The builds that a tester was invited to by build id. */
  buildIdsOfTester(ctx: RequestContext, testerId: string): Promise<readonly string[]> {
    return this.repository.findBuildIdsOfTester(ctx, testerId);
  }

  /** Ends the links of builds that move to the trash, also those of testers. */
  hideOfBuilds(tx: RequestContext, buildIds: readonly string[]): Promise<void> {
    return this.repository.setDeleted(tx, buildIds, tx.clock.now());
  }

  /** Lets the links of builds that leave the trash open them again. */
  showOfBuilds(tx: RequestContext, buildIds: readonly string[]): Promise<void> {
    return this.repository.setDeleted(tx, buildIds, null);
  }

  /** The link of a token, null when the token is malformed, unknown or deleted, or its build is in the trash. */
  async resolve(ctx: RequestContext, token: string): Promise<InstallLink | null> {
    const row = isLinkToken(token) ? await this.repository.findByDigest(ctx, digestOf(token)) : null;
    return row?.deletedAt === null ? installLinkFromRow(row) : null;
  }

  private async createLink(ctx: RequestContext, scope: ProjectScope, target: LinkTarget): Promise<string> {
    const { row, url } = this.newLink(ctx, scope, target);
    await this.repository.insert(ctx, row);
    return url;
  }

  private async replaceDefault(tx: RequestContext, scope: ProjectScope, target: LinkTarget): Promise<void> {
    const link = await this.repository.lockDefault(tx, scope, target);
    if (link) await this.replaceToken(tx, link.id);
  }

  /** A link of a build or channel. The caller inserts its row. */
  newLink(
    ctx: RequestContext,
    scope: ProjectScope,
    target: LinkTarget,
    { name, isDefault }: Pick<InstallLinkEntity, 'name' | 'isDefault'> = { name: null, isDefault: true },
  ): { readonly row: InstallLinkEntity; readonly url: string } {
    const id = newId();
    const { token, digest, sealedToken } = this.newTokenFor(id);
    const row: InstallLinkEntity = {
      ...scopeOf(scope),
      buildId: target.buildId,
      channelId: target.channelId,
      id,
      testerId: null,
      digest,
      sealedToken,
      usedAt: null,
      lastOpenedAt: null,
      createdAt: ctx.clock.now(),
      name,
      isDefault,
      ruleVersion: null,
      deletedAt: null,
    };
    return { row, url: this.urlWith(token) };
  }

  private newTokenFor(id: string): { token: string; digest: Buffer; sealedToken: Buffer } {
    const token = newLinkToken();
    return { token, digest: digestOf(token), sealedToken: this.sealer.seal(Buffer.from(token), sealContext(id)) };
  }

  private byTarget(links: readonly SealedLink[]): ReadonlyMap<string, LinkUrls> {
    return new Map(links.map((link) => [link.opens, this.urlsOf(link)]));
  }

  private cachedUrlOf({ id, sealedToken }: SealedToken): string | null {
    const key = sealedToken.toString('latin1');
    const cached = this.cachedUrls.get(key);
    if (cached !== undefined) return cached;
    const token = this.secrets.open(sealedToken, sealContext(id));
    if (token === null) return null;
    const url = this.urlWith(token);
    this.cachedUrls.set(key, url);
    return url;
  }

  private urlWith(token: string): string {
    return `${this.config.installBaseUrl}/install/${token}`;
  }
}

/** Binds an encrypted token to its row. */
const sealContext = (linkId: string): string => `invite|${linkId}`;
