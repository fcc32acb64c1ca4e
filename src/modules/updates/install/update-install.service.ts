import { Injectable } from '@nestjs/common';
import { type Device } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { BuildsService, type Icon, type OpenDownload } from '#modules/builds';
import { BuildInstallService, type InstallableBuild, LinkAddresses } from '#modules/install';
import { identityOfKey } from '../current/current-build';
import { CurrentBuildsService } from '../current/current-builds.service';
import { UpdateAddresses } from '../protocols/polling/update-addresses';

/** The current build of an update key, and the notes of its promotion. */
type CurrentInstall = InstallableBuild & { readonly notes: string | null };

/**
 * The page on which people install the current build of an update key, and the files below it. They end with the key, and show no build
 * that is no longer current.
 */
@Injectable()
export class UpdateInstallService {
  constructor(
    private readonly current: CurrentBuildsService,
    private readonly builds: BuildsService,
    private readonly files: BuildInstallService,
    private readonly addresses: UpdateAddresses,
  ) {}

  /** @throws AppError not_found, as all methods, for a key that does not work or opens no build. */
  async page(
    ctx: RequestContext,
    key: string,
    reader: { readonly device: Device; readonly messages: Messages },
  ): Promise<HtmlPage> {
    const addresses = new LinkAddresses(this.addresses.ofInstallPage(key));
    return this.files.page(ctx, await this.open(ctx, key), addresses, reader);
  }

  async manifest(ctx: RequestContext, key: string): Promise<string> {
    return this.files.manifest(ctx, await this.open(ctx, key), this.addresses.ofInstallPage(key));
  }

  /** @throws AppError as `manifest`, without minting a download URL. */
  async requireOverTheAir(ctx: RequestContext, key: string): Promise<void> {
    this.files.requireOverTheAir(await this.open(ctx, key));
  }

  async icon(ctx: RequestContext, key: string): Promise<Icon> {
    return this.files.icon(ctx, await this.open(ctx, key));
  }

  /** The absolute URL of the page. */
  async pageUrl(ctx: RequestContext, key: string): Promise<string> {
    await this.current.require(ctx, key);
    return this.addresses.ofInstallPage(key);
  }

  /** Describes the package for a HEAD request, without minting a download URL. */
  async describePackage(ctx: RequestContext, key: string, fileName: string): Promise<OpenDownload> {
    return this.files.describePackage(ctx, await this.open(ctx, key), fileName);
  }

  async downloadUrl(ctx: RequestContext, key: string, fileName: string): Promise<string> {
    return this.files.downloadUrl(await this.open(ctx, key), fileName);
  }

  private async open(ctx: RequestContext, key: string): Promise<CurrentInstall> {
    const opened = await this.current.require(ctx, key);
    const linkContext = { ...ctx, identity: identityOfKey(opened) };
    const build = await this.builds.get(linkContext, scopeOf(opened), opened.build.id);
    return { build, notes: opened.build.notes, linkContext };
  }
}
