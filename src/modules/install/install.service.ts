import { Injectable } from '@nestjs/common';
import { type Device } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { HttpConfig } from '#infra/config/config';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import {
  artifactValidity,
  BuildsService,
  type Icon,
  type OpenDownload,
  ProfileDevicesService,
  type Validity,
} from '#modules/builds';
import { DeviceRegistrationsService, willBeMailed } from '#modules/devices';
import { ProjectsService } from '#modules/projects';
import { TestersService } from '#modules/testers';
import { BuildInstallService, type InstallableBuild } from './build-install.service';
import { deviceCookieName, type DeviceCookies } from './device-capture/device-cookie';
import {
  buildIdOf,
  type LinkContents,
  LinkResolverService,
  type ReachableBuild,
  type ResolvedLink,
} from './link-resolver.service';
import { fileExtensionOf, toInstallBuild } from './page/card/install-build';
import { type VisitingDevice } from './page/device-inclusion';
import { INSTALL_PAGE, type InstallPageView, installPageView } from './page/install-page.view';
import { addressesOfLink, type LinkPath, packageNameOf } from './page/link-addresses';
import { PageOrigins } from './page/page-origins';
import { type SubscriptionPanel } from './page/subscription-panel';

/** The reader of a page. */
export interface PageReader {
  readonly device: Device;
  readonly messages: Messages;
  /** Whether a person probably reads the page: then the opening is recorded. */
  readonly isOpened: boolean;
  /** The cookies by which the device that reads the page is recognized. */
  readonly deviceCookies: DeviceCookies;
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
    private readonly files: BuildInstallService,
    private readonly projects: ProjectsService,
    private readonly testers: TestersService,
    private readonly registrations: DeviceRegistrationsService,
    private readonly builds: BuildsService,
    private readonly profiles: ProfileDevicesService,
    private readonly origins: PageOrigins,
    private readonly config: HttpConfig,
  ) {}

  /** The page of a link, or of one of its builds. @throws AppError not_found */
  async page(ctx: RequestContext, path: LinkPath, reader: PageReader): Promise<TimedPage> {
    return this.pageOf(ctx, path, reader, await this.links.resolve(ctx, path.token));
  }

  /** The page of a link that the visitor may open. @throws AppError not_found */
  async pageOf(ctx: RequestContext, path: LinkPath, reader: PageReader, resolved: ResolvedLink): Promise<TimedPage> {
    const { device, messages, isOpened, deviceCookies } = reader;
    if (isOpened) await this.links.recordOpening(ctx, resolved);
    const { current, older, channel } = await this.contentsOf(resolved, path.buildId);
    const [{ name }, origin, subscriptionPanel, knownDevice] = await Promise.all([
      this.projects.get(ctx, scopeOf(resolved.link)),
      this.origins.ofBuilds(ctx, resolved.link.organizationId, [...current, ...older]),
      path.buildId === null ? this.subscriptionPanelOf(resolved, channel?.name ?? null) : null,
      this.knownDeviceOf(resolved, current, deviceCookies),
    ]);
    const view = installPageView({
      builds: current.map((reachable) => toInstallBuild(reachable, channel, origin)),
      older: older.map((reachable) => toInstallBuild(reachable, channel, origin)),
      ...(path.buildId !== null && { buildId: path.buildId }),
      project: { name },
      brand: origin.brand,
      channel,
      manyBuilds: path.buildId !== null || buildIdOf(resolved.link) === null,
      subscriptionPanel,
      addresses: addressesOfLink(this.config.installBaseUrl, path.token),
      device,
      knownDevice,
      now: ctx.clock.now(),
      messages,
    });
    return { page: new HtmlPage(INSTALL_PAGE, view), validity: validityOf([...current, ...older], ctx.clock.now()) };
  }

  /** The manifest for over-the-air installation on iOS, with a download URL minted for it. */
  async manifest(ctx: RequestContext, path: LinkPath): Promise<string> {
    return this.files.manifest(ctx, await this.findBuild(ctx, path), this.addressOf(path));
  }

  /** @throws AppError not_found for another platform, operation_not_allowed with the reason when iOS cannot install it. */
  async requireOverTheAir(ctx: RequestContext, path: LinkPath): Promise<void> {
    this.files.requireOverTheAir(await this.findBuild(ctx, path));
  }

  async downloadUrl(ctx: RequestContext, path: LinkPath, fileName: string): Promise<string> {
    return this.files.downloadUrl(await this.findBuild(ctx, path), fileName);
  }

  /** Describes the package for a HEAD request, without minting a download URL. */
  async describePackage(ctx: RequestContext, path: LinkPath, fileName: string): Promise<OpenDownload> {
    return this.files.describePackage(ctx, await this.findBuild(ctx, path), fileName);
  }

  async icon(ctx: RequestContext, path: LinkPath): Promise<Icon> {
    return this.files.icon(ctx, await this.findBuild(ctx, path));
  }

  /** The absolute URL of the page for other devices. */
  async pageUrl(ctx: RequestContext, path: LinkPath): Promise<string> {
    const resolved = await this.links.resolve(ctx, path.token);
    if (path.buildId !== null) await this.links.findBuild(resolved, path.buildId);
    return addressesOfLink(this.config.installBaseUrl, path.token).ofPage(path.buildId).page;
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
    const platforms = await this.builds.platformsOf(linkContext, scopeOf(link));
    const active =
      link.channelId === null ? !subscriptions.declined : subscriptions.subscribedTo.includes(link.channelId);
    return { channelName, active, platforms, mailPlatforms, used: link.usedAt !== null };
  }

  /** The device that reads the page, and the builds that install on it. Null when it was not registered from this browser. */
  private async knownDeviceOf(
    { link, linkContext }: ResolvedLink,
    builds: readonly ReachableBuild[],
    cookies: DeviceCookies,
  ): Promise<VisitingDevice | null> {
    const cookie = cookies[deviceCookieName(link.projectId)];
    if (cookie === undefined) return null;
    const device = await this.registrations.fromCookie(linkContext, scopeOf(link), cookie);
    if (!device) return null;
    const ids = builds.map(({ build }) => build.id);
    const includedIn = await this.profiles.buildsWith(linkContext, scopeOf(link), device.udidDigest, ids);
    return { includedIn, isMailed: willBeMailed(device) };
  }

  private async findBuild(ctx: RequestContext, { token, buildId }: LinkPath): Promise<InstallableBuild> {
    return this.links.findBuild(await this.links.resolve(ctx, token), buildId);
  }

  private addressOf({ token, buildId }: LinkPath): string {
    return addressesOfLink(this.config.installBaseUrl, token).urlOf(buildId);
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
