import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { BuildsService, DownloadsService, DownloadTicketsService, type OpenDownload } from '#modules/builds';
import { identityOfKey, type OpenedBuild } from '../current/current-build';
import { CurrentBuildsService } from '../current/current-builds.service';

/** The file that the path of a request names. */
export interface PackagePath {
  readonly token: string;
  readonly buildId: string;
  readonly fileName: string;
}

/** Downloads by update key. */
@Injectable()
export class UpdatePackagesService {
  constructor(
    private readonly current: CurrentBuildsService,
    private readonly builds: BuildsService,
    private readonly downloads: DownloadsService,
    private readonly tickets: DownloadTicketsService,
  ) {}

  /**
   * Mints a download URL, or returns the open one of the client.
   * @throws AppError not_found for another build than the current one or another name than its file's; the errors of a reservation.
   */
  async downloadUrl(ctx: RequestContext, path: PackagePath): Promise<string> {
    const opened = await this.requireCurrent(ctx, path);
    const identity = identityOfKey(opened);
    return (await this.tickets.mint({ ...ctx, identity }, scopeOf(opened), opened.build.id)).url;
  }

  /** Describes the file for a HEAD request, without minting a download URL. @throws AppError not_found as for `downloadUrl`. */
  async describe(ctx: RequestContext, path: PackagePath): Promise<OpenDownload> {
    const { build, ...key } = await this.requireCurrent(ctx, path);
    return this.downloads.describe(ctx, await this.builds.get(ctx, scopeOf(key), build.id));
  }

  private async requireCurrent(ctx: RequestContext, { token, buildId, fileName }: PackagePath): Promise<OpenedBuild> {
    const opened = await this.current.require(ctx, token);
    if (opened.build.id !== buildId.toLowerCase() || opened.build.fileName !== fileName)
      throw AppError.notFound('file');
    return opened;
  }
}
