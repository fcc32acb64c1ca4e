import { Injectable } from '@nestjs/common';
import { type Device } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import {
  BuildIconsService,
  type BuildWithUrl,
  DownloadsService,
  DownloadTicketsService,
  type Icon,
  type OpenDownload,
} from '#modules/builds';
import { ProjectsService } from '#modules/projects';
import { otaManifest } from './manifest';
import { fileExtensionOf, toInstallBuild } from './page/card/install-build';
import { INSTALL_PAGE, type InstallPageView, installPageView } from './page/install-page.view';
import { type LinkAddresses, packageNameOf } from './page/link-addresses';
import { PageOrigins } from './page/page-origins';

/** A build that the credential in the path of a request reaches. */
export interface InstallableBuild {
  readonly build: BuildWithUrl;
  /** The context to download it with, whose identity is the credential. */
  readonly linkContext: RequestContext;
}

/** Serves the files of one build, and its page, to a browser and to the installer of a device. */
@Injectable()
export class BuildInstallService {
  constructor(
    private readonly icons: BuildIconsService,
    private readonly downloads: DownloadsService,
    private readonly tickets: DownloadTicketsService,
    private readonly projects: ProjectsService,
    private readonly origins: PageOrigins,
  ) {}

  /** A page that shows nothing but the build. @param notes shown instead of those of the build. */
  async page(
    ctx: RequestContext,
    { build, notes }: Pick<InstallableBuild, 'build'> & { readonly notes: string | null },
    addresses: LinkAddresses,
    reader: { readonly device: Device; readonly messages: Messages },
  ): Promise<HtmlPage<InstallPageView>> {
    const { name } = await this.projects.get(ctx, scopeOf(build));
    const reachable = { build, notes, channel: null, since: build.uploadedAt, by: build.uploadedBy };
    const origin = await this.origins.ofBuilds(ctx, build.organizationId, [reachable]);
    return new HtmlPage(
      INSTALL_PAGE,
      installPageView({
        builds: [toInstallBuild(reachable, null, origin)],
        project: { name },
        brand: origin.brand,
        addresses,
        now: ctx.clock.now(),
        ...reader,
      }),
    );
  }

  /**
   * The manifest for over-the-air installation on iOS, with a download URL minted for it.
   * @param page the absolute URL of the build's page.
   * @throws AppError as `requireOverTheAir`, and the errors of a reservation.
   */
  async manifest(ctx: RequestContext, installable: InstallableBuild, page: string): Promise<string> {
    this.requireOverTheAir(installable);
    const { build } = installable;
    const packageUrl = await this.mintDownloadUrl(installable);
    const { name } = await this.projects.get(ctx, scopeOf(build));
    // iOS draws only PNG. A missing image is better than one that fails to load.
    const iconUrl = build.iconMediaType === 'image/png' ? `${page}/icon.png` : null;
    return otaManifest({
      packageUrl,
      bundleIdentifier: build.artifact.bundleId ?? '',
      version: build.version,
      title: build.artifact.name ?? name,
      displayImageUrl: iconUrl,
      fullSizeImageUrl: iconUrl,
    });
  }

  /** @throws AppError not_found for another platform, operation_not_allowed with the reason when iOS cannot install the build. */
  requireOverTheAir({ build: { platform, notInstallable } }: InstallableBuild): void {
    if (platform !== 'ios') throw AppError.notFound('manifest');
    if (!notInstallable) return;
    throw new AppError('operation_not_allowed', {
      message: notInstallable.message,
      details: { reason: notInstallable.code },
    });
  }

  /** @throws AppError not_found for another name than the package's; the errors of a reservation. */
  async downloadUrl(installable: InstallableBuild, fileName: string): Promise<string> {
    requirePackage(installable, fileName);
    return this.mintDownloadUrl(installable);
  }

  /** Describes the package for a HEAD request, without minting a download URL. @throws AppError not_found as for `downloadUrl`. */
  describePackage(ctx: RequestContext, installable: InstallableBuild, fileName: string): Promise<OpenDownload> {
    requirePackage(installable, fileName);
    return this.downloads.describe(ctx, installable.build);
  }

  /** @throws AppError not_found when the build has no icon. */
  async icon(ctx: RequestContext, { build }: InstallableBuild): Promise<Icon> {
    const icon = await this.icons.find(ctx, build.id);
    if (!icon) throw AppError.notFound('icon');
    return icon;
  }

  private async mintDownloadUrl({ build, linkContext }: InstallableBuild): Promise<string> {
    return (await this.tickets.mint(linkContext, scopeOf(build), build.id)).url;
  }
}

function requirePackage({ build }: InstallableBuild, fileName: string): void {
  if (fileName !== packageNameOf(fileExtensionOf(build))) throw AppError.notFound('file');
}
