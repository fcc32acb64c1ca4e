import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type Device } from '#kernel/builds/device';
import { AppError } from '#kernel/errors/app-error';
import { scopeOf } from '#kernel/context/scope';
import {
  artifactValidity,
  BuildIconsRepository,
  DownloadsService,
  DownloadTicketsService,
  type Icon,
  type OpenDownload,
  type Validity,
} from '#modules/builds';
import { ProjectsService } from '#modules/projects';
import { TestersService } from '#modules/testers';
import { HttpConfig } from '#infra/config/config';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { type Messages } from '#infra/pages/messages/messages';
import { type LinkPath, LinkAddresses, packageNameOf } from './page/link-addresses';
import {
  buildIdOf,
  type LinkContents,
  LinkResolverService,
  type ReachableBuild,
  type ResolvedLink,
} from './link-resolver.service';
import { otaManifest } from './manifest';
import { fileExtensionOf, toInstallBuild } from './page/card/install-build';
import { INSTALL_PAGE, type InstallPageView, installPageView } from './page/install-page.view';
import { type SubscriptionPanel } from './page/subscription-panel';

type DownloadableBuild = ReachableBuild & Pick<ResolvedLink, 'linkContext'>;

/** The reader of a page. */
export interface PageReader {
  readonly device: Device;
  readonly messages: Messages;
  /** Whether a person probably reads the page: then the opening is recorded. */
  readonly isOpened: boolean;
}

/** What a stable address names: the page or the package of a link's newest build of a platform. */
export interface LatestBuild {
  readonly token: string;
  readonly platform: Platform;
  readonly target: 'page' | 'package';
}

/** A page, and the time for which it stays the same if no row changes. */
interface TimedPage {
  readonly page: HtmlPage<InstallPageView>;
  readonly validity: Validity;
}

/** Serves the pages and files of an install link to a tester's browser and to the installer of their device. */
@Injectable()
export class InstallService {
  constructor(
    private readonly links: LinkResolverService,
    private readonly icons: BuildIconsRepository,
    private readonly downloads: DownloadsService,
    private readonly tickets: DownloadTicketsService,
    private readonly projects: ProjectsService,
    private readonly testers: TestersService,
    private readonly config: HttpConfig,
  ) {}

  /** The page of a link, or of one of its builds. @throws AppError not_found */
  async page(ctx: RequestContext, path: LinkPath, { device, messages, isOpened }: PageReader): Promise<TimedPage> {
    const resolved = await this.links.resolve(ctx, path.token);
    if (isOpened) await this.links.recordOpening(ctx, resolved);
    const { current, older, channel } = await this.contentsOf(resolved, path.buildId);
    const [{ name }, subscriptionPanel] = await Promise.all([
      this.projects.get(ctx, scopeOf(resolved.link)),
      path.buildId === null ? this.subscriptionPanelOf(resolved, channel?.name ?? null) : null,
    ]);
    const view = installPageView({
      builds: current.map((reachable) => toInstallBuild(reachable, channel)),
      older: older.map((reachable) => toInstallBuild(reachable, channel)),
      ...(path.buildId !== null && { buildId: path.buildId }),
      project: { name },
      channel,
      manyBuilds: path.buildId !== null || buildIdOf(resolved.link) === null,
      subscriptionPanel,
      installBaseUrl: this.config.installBaseUrl,
      inviteToken: path.token,
      device,
      now: ctx.clock.now(),
      messages,
    });
    return { page: new HtmlPage(INSTALL_PAGE, view), validity: validityOf([...current, ...older], ctx.clock.now()) };
  }

  /** The manifest for over-the-air installation on iOS, with a download URL minted for it. */
  async manifest(ctx: RequestContext, path: LinkPath): Promise<string> {
    const downloadable = await this.requireOverTheAir(ctx, path);
    const { build } = downloadable;
    const packageUrl = await this.mintDownloadUrl(downloadable);
    const { name } = await this.projects.get(ctx, scopeOf(build));
    // iOS draws only PNG. A missing image is better than one that fails to load.
    const iconUrl = build.iconMediaType === 'image/png' ? `${this.addressOf(path)}/icon.png` : null;
    return otaManifest({
      packageUrl,
      bundleIdentifier: build.artifact.bundleId ?? '',
      version: build.version,
      title: build.artifact.name ?? name,
      displayImageUrl: iconUrl,
      fullSizeImageUrl: iconUrl,
    });
  }

  /**
   * The build of the path, which iOS can install over the air.
   * @throws AppError not_found for another platform, operation_not_allowed with the reason when iOS cannot install it.
   */
  async requireOverTheAir(ctx: RequestContext, path: LinkPath): Promise<DownloadableBuild> {
    const downloadable = await this.findBuild(ctx, path);
    const { platform, notInstallable } = downloadable.build;
    if (platform !== 'ios') throw AppError.notFound('manifest');
    if (!notInstallable) return downloadable;
    throw new AppError('operation_not_allowed', {
      message: notInstallable.message,
      details: { reason: notInstallable.code },
    });
  }

  async downloadUrl(ctx: RequestContext, path: LinkPath, fileName: string): Promise<string> {
    return this.mintDownloadUrl(await this.requirePackage(ctx, path, fileName));
  }

  /** Describes the package for a HEAD request, without minting a download URL. */
  async describePackage(ctx: RequestContext, path: LinkPath, fileName: string): Promise<OpenDownload> {
    return this.downloads.describe(ctx, (await this.requirePackage(ctx, path, fileName)).build);
  }

  async icon(ctx: RequestContext, path: LinkPath): Promise<Icon> {
    const { build } = await this.findBuild(ctx, path);
    const icon = await this.icons.find(ctx, build.id);
    if (!icon) throw AppError.notFound('icon');
    return icon;
  }

  /** The absolute URL of the page. */
  async pageUrl(ctx: RequestContext, path: LinkPath): Promise<string> {
    const resolved = await this.links.resolve(ctx, path.token);
    if (path.buildId !== null) await this.links.findBuild(resolved, path.buildId);
    return this.addressOf(path);
  }

  /** The absolute URL of the newest build of a platform: of its page or of its package. */
  async latestUrl(ctx: RequestContext, { token, platform, target }: LatestBuild, isOpened: boolean): Promise<string> {
    const resolved = await this.links.resolve(ctx, token);
    if (isOpened) await this.links.recordOpening(ctx, resolved);
    const { build } = await this.links.findLatest(resolved, platform);
    const page = this.addressOf({ token, buildId: build.id });
    return target === 'page' ? page : `${page}/${encodeURIComponent(packageNameOf(fileExtensionOf(build)))}`;
  }

  private async contentsOf(resolved: ResolvedLink, buildId: string | null): Promise<LinkContents> {
    if (buildId === null) return this.links.listContents(resolved);
    const reachable = await this.links.findBuild(resolved, buildId);
    return { current: [reachable], older: [], channel: reachable.channel };
  }

  private async subscriptionPanelOf(
    { link, linkContext }: ResolvedLink,
    channelName: string | null,
  ): Promise<SubscriptionPanel | null> {
    if (link.kind !== 'tester') return null;
    const { subscriptions, mailPlatforms } = await this.testers.get(linkContext, scopeOf(link), link.testerId);
    const active =
      link.channelId === null ? !subscriptions.declined : subscriptions.subscribedTo.includes(link.channelId);
    return { channelName, active, mailPlatforms, used: link.usedAt !== null };
  }

  private async mintDownloadUrl({ build, linkContext }: DownloadableBuild): Promise<string> {
    return (await this.tickets.mint(linkContext, scopeOf(build), build.id)).url;
  }

  private async findBuild(ctx: RequestContext, { token, buildId }: LinkPath): Promise<DownloadableBuild> {
    return this.links.findBuild(await this.links.resolve(ctx, token), buildId);
  }

  private async requirePackage(ctx: RequestContext, path: LinkPath, fileName: string): Promise<DownloadableBuild> {
    const downloadable = await this.findBuild(ctx, path);
    if (fileName !== packageNameOf(fileExtensionOf(downloadable.build))) throw AppError.notFound('file');
    return downloadable;
  }

  private addressOf({ token, buildId }: LinkPath): string {
    return new LinkAddresses(this.config.installBaseUrl, token).ofPage(buildId).page;
  }
}

const DAY_MS = 86_400_000;

/**
 * The time for which a page stays correct. A page names days (UTC) relative to the current one, and contains the warnings of its builds.
 */
function validityOf(builds: readonly ReachableBuild[], now: Date): Validity {
  const day = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const all = [{ from: day, until: day + DAY_MS }, ...builds.map(({ build }) => artifactValidity(build.artifact, now))];
  return { from: Math.max(...all.map(({ from }) => from)), until: Math.min(...all.map(({ until }) => until)) };
}
