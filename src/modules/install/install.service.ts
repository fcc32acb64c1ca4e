import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type Device } from '#kernel/builds/device';
import { AppError } from '#kernel/errors/app-error';
import { scopeOf } from '#kernel/context/scope';
import { BuildsService, DownloadsService, type Icon, type OpenDownload } from '#modules/builds';
import { ProjectsService } from '#modules/projects';
import { TestersService } from '#modules/testers';
import { HttpConfig } from '#infra/config/config';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { type Messages } from '#infra/pages/messages/messages';
import { LinkAddresses } from './page/install-links';
import { INSTALL_PAGE, installPageView } from './page/install-page.view';
import { packageNameOf, toInstallBuild } from './page/install.mapper';
import { type LinkPath } from './link-path';
import { otaManifest } from './manifest';
import { buildIdOf, type LinkContents, type ResolvedLink, type ReachableBuild } from './resolved-link';
import { LinkResolverService } from './link-resolver.service';
import { type SubscriptionPanel } from './page/subscription-panel';

type FetchableBuild = ReachableBuild & { readonly holder: RequestContext };

/** Where an install link leads, for a tester's browser and for the installer of their device. */
@Injectable()
export class InstallService {
  constructor(
    private readonly links: LinkResolverService,
    private readonly builds: BuildsService,
    private readonly downloads: DownloadsService,
    private readonly projects: ProjectsService,
    private readonly testers: TestersService,
    private readonly config: HttpConfig,
  ) {}

  /** The page of a link, or of one of its builds. */
  async page(ctx: RequestContext, path: LinkPath, device: Device, messages: Messages): Promise<HtmlPage> {
    const link = await this.links.open(ctx, path.token);
    const { current, older, channel } = await this.shownOf(link, path.buildId);
    const [{ name }, participation] = await Promise.all([
      this.projects.get(ctx, scopeOf(link.invite)),
      path.buildId === null ? this.participationOf(link, channel?.name ?? null) : null,
    ]);
    const view = installPageView({
      builds: current.map((reached) => toInstallBuild(reached, channel)),
      older: older.map((reached) => toInstallBuild(reached, channel)),
      ...(path.buildId !== null && { buildId: path.buildId }),
      project: { name },
      channel,
      manyBuilds: path.buildId !== null || buildIdOf(link.invite) === null,
      participation,
      installBaseUrl: this.config.installBaseUrl,
      inviteToken: path.token,
      device,
      now: ctx.clock.now(),
      messages,
    });
    return new HtmlPage(INSTALL_PAGE, view);
  }

  /** The manifest that iOS installs by, with a download URL minted for it. */
  async manifest(ctx: RequestContext, path: LinkPath): Promise<string> {
    const reached = await this.requireOverTheAir(ctx, path);
    const { build } = reached;
    const url = await this.mint(reached);
    const { name } = await this.projects.get(ctx, scopeOf(build));
    // Only a real PNG: iOS draws no other kind, and an image that is missing is better than one that fails.
    const iconUrl = build.iconMediaType === 'image/png' ? `${this.addressOf(path)}/icon.png` : null;
    return otaManifest({
      packageUrl: url,
      bundleIdentifier: build.artifact.bundleId ?? '',
      version: build.version,
      title: build.artifact.name ?? name,
      displayImageUrl: iconUrl,
      fullSizeImageUrl: iconUrl,
    });
  }

  /** The build, if iOS can install it from a link. @throws AppError operation_not_allowed with the reason. */
  async requireOverTheAir(ctx: RequestContext, path: LinkPath): Promise<FetchableBuild> {
    const reached = await this.reach(ctx, path);
    const { platform, notInstallable } = reached.build;
    if (platform !== 'ios') throw AppError.notFound('manifest');
    if (!notInstallable) return reached;
    throw new AppError('operation_not_allowed', {
      message: notInstallable.message,
      details: { reason: notInstallable.code },
    });
  }

  async downloadUrl(ctx: RequestContext, path: LinkPath, file: string): Promise<string> {
    return this.mint(await this.requirePackage(ctx, path, file));
  }

  /** What a HEAD of the package tells; nothing is minted. */
  async lookAtPackage(ctx: RequestContext, path: LinkPath, file: string): Promise<OpenDownload> {
    return this.downloads.describe(ctx, (await this.requirePackage(ctx, path, file)).build);
  }

  async icon(ctx: RequestContext, path: LinkPath): Promise<Icon> {
    const { build } = await this.reach(ctx, path);
    const icon = await this.builds.findIcon(ctx, scopeOf(build), build.id);
    if (!icon) throw AppError.notFound('icon');
    return icon;
  }

  /** The address of the page, absolute. */
  async pageUrl(ctx: RequestContext, path: LinkPath): Promise<string> {
    const link = await this.links.open(ctx, path.token);
    if (path.buildId !== null) await this.links.reach(link, path.buildId);
    return this.addressOf(path);
  }

  /** Where the newest build of a platform is behind a link: its page, or its package. */
  async latest(ctx: RequestContext, token: string, platform: Platform, what: 'page' | 'package'): Promise<string> {
    const { build } = await this.links.latest(await this.links.open(ctx, token), platform);
    const page = this.addressOf({ token, buildId: build.id });
    return what === 'page' ? page : `${page}/${packageNameOf(build)}`;
  }

  private async shownOf(link: ResolvedLink, buildId: string | null): Promise<LinkContents> {
    if (buildId === null) return this.links.lineup(link);
    const reached = await this.links.reach(link, buildId);
    return { current: [reached], older: [], channel: reached.channel };
  }

  private async participationOf(
    { invite, holder }: ResolvedLink,
    channelName: string | null,
  ): Promise<SubscriptionPanel | null> {
    if (invite.kind !== 'tester') return null;
    const { involvement } = await this.testers.get(holder, scopeOf(invite), invite.testerId);
    const takesPart =
      invite.channelId === null ? !involvement.declined : involvement.subscribedTo.includes(invite.channelId);
    return { channelName, takesPart, spent: invite.spentAt !== null };
  }

  /** A download URL for whoever holds the link. A tester is remembered as one who has such a device. */
  private async mint({ build, holder }: FetchableBuild): Promise<string> {
    const { url } = await this.downloads.mint(holder, scopeOf(build), build.id);
    const { identity } = holder;
    if (identity.kind === 'invite' && identity.testerId !== null)
      await this.testers.rememberPlatform(holder, scopeOf(build), identity.testerId, build.platform);
    return url;
  }

  private async reach(ctx: RequestContext, { token, buildId }: LinkPath): Promise<FetchableBuild> {
    return this.links.reach(await this.links.open(ctx, token), buildId);
  }

  private async requirePackage(ctx: RequestContext, path: LinkPath, file: string): Promise<FetchableBuild> {
    const reached = await this.reach(ctx, path);
    if (file !== packageNameOf(reached.build)) throw AppError.notFound('file');
    return reached;
  }

  private addressOf({ token, buildId }: LinkPath): string {
    return new LinkAddresses(this.config.installBaseUrl, token).ofPage(buildId).page;
  }
}
