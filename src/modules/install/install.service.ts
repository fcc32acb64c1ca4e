import { extname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { scopeOf } from '#kernel/scope/scope';
import { BuildsService, DownloadsService, type Icon, type LinkedBuild, type OpenDownload } from '#modules/builds';
import { InvitesService } from '#modules/invites';
import { ProjectsService } from '#modules/projects';
import { HttpConfig } from '#platform/config/config';
import { HtmlPage } from '#platform/pages/html-page';
import { type Messages } from '#platform/pages/messages';
import { type Device } from './device';
import { toInstallBuild } from './install.mapper';
import { INSTALL_PAGE, installPageView } from './install-page.view';
import { otaManifest } from './manifest';

/** What an install link opens, and the context of whoever holds it. */
interface OpenInvite {
  readonly build: LinkedBuild;
  readonly tester: RequestContext;
}

/** Where an install link leads, for a tester's browser and for the installer of their device. */
@Injectable()
export class InstallService {
  constructor(
    private readonly invites: InvitesService,
    private readonly builds: BuildsService,
    private readonly downloads: DownloadsService,
    private readonly projects: ProjectsService,
    private readonly config: HttpConfig,
  ) {}

  async page(ctx: RequestContext, token: string, device: Device, messages: Messages): Promise<HtmlPage> {
    const { build } = await this.open(ctx, token);
    const { name } = await this.projects.get(ctx, scopeOf(build));
    const { installBaseUrl } = this.config;
    const now = ctx.clock.now();
    const view = installPageView({
      build: toInstallBuild(build),
      project: { name },
      installBaseUrl,
      inviteToken: token,
      device,
      now,
      messages,
    });
    return new HtmlPage(INSTALL_PAGE, view);
  }

  /** The manifest that iOS installs by, with a download URL minted for it. */
  async manifest(ctx: RequestContext, token: string): Promise<string> {
    const { build, tester } = await this.requireOverTheAir(ctx, token);
    const { url } = await this.downloads.mint(tester, scopeOf(build), build.id);
    const { name } = await this.projects.get(ctx, scopeOf(build));
    // Only a real PNG: iOS draws no other kind, and an image that is missing is better than one that fails.
    const iconUrl = build.iconMediaType === 'image/png' ? `${build.installUrl}/icon.png` : null;
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
  async requireOverTheAir(ctx: RequestContext, token: string): Promise<OpenInvite> {
    const invite = await this.open(ctx, token);
    const { platform, notInstallable } = invite.build;
    if (platform !== 'ios') throw AppError.notFound('manifest');
    if (!notInstallable) return invite;
    throw new AppError('operation_not_allowed', {
      message: notInstallable.message,
      details: { reason: notInstallable.code },
    });
  }

  async downloadUrl(ctx: RequestContext, token: string, file: string): Promise<string> {
    const { build, tester } = await this.requirePackage(ctx, token, file);
    return (await this.downloads.mint(tester, scopeOf(build), build.id)).url;
  }

  /** What a HEAD of the package tells; nothing is minted. */
  async lookAtPackage(ctx: RequestContext, token: string, file: string): Promise<OpenDownload> {
    return this.downloads.describe((await this.requirePackage(ctx, token, file)).build);
  }

  async icon(ctx: RequestContext, token: string): Promise<Icon> {
    const { build } = await this.open(ctx, token);
    const icon = await this.builds.findIcon(ctx, scopeOf(build), build.id);
    if (!icon) throw AppError.notFound('icon');
    return icon;
  }

  async pageUrl(ctx: RequestContext, token: string): Promise<string> {
    return (await this.open(ctx, token)).build.installUrl;
  }

  /** @throws AppError not_found: the same for a token that is unknown, revoked, or made up. */
  private async open(ctx: RequestContext, token: string): Promise<OpenInvite> {
    const invite = await this.invites.resolve(ctx, token);
    if (!invite) {
      throw new AppError('not_found', {
        message: 'This install link does not work. Ask whoever sent it for a new one.',
      });
    }
    const tester: RequestContext = { ...ctx, identity: { kind: 'invite', inviteId: invite.id } };
    return { tester, build: await this.builds.get(tester, scopeOf(invite), invite.buildId) };
  }

  private async requirePackage(ctx: RequestContext, token: string, file: string): Promise<OpenInvite> {
    const invite = await this.open(ctx, token);
    if (file !== `package${extname(invite.build.fileName).toLowerCase()}`) throw AppError.notFound('file');
    return invite;
  }
}
