import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import {
  type Attachment,
  AttachmentsService,
  BuildsService,
  DownloadsService,
  DownloadTicketsService,
  type OpenDownload,
} from '#modules/builds';
import { identityOfKey, type OpenedBuild } from '../current/current-build';
import { CurrentBuildsService } from '../current/current-builds.service';

/** The file that the path of a request names, by the id of the current build or by its version. */
export type PackagePath = { readonly token: string; readonly fileName: string } & (
  { readonly buildId: string } | { readonly version: string }
);

/** The file of a path: an attachment, or else the artifact of the current build. */
interface FoundFile {
  readonly opened: OpenedBuild;
  readonly attachment: Attachment | null;
}

const BLOCKMAP = /\.blockmap$/i;

/** Downloads by update key. */
@Injectable()
export class UpdatePackagesService {
  constructor(
    private readonly current: CurrentBuildsService,
    private readonly builds: BuildsService,
    private readonly attachments: AttachmentsService,
    private readonly downloads: DownloadsService,
    private readonly tickets: DownloadTicketsService,
  ) {}

  /**
   * Mints a download URL, or returns the open one of the client.
   * @throws AppError not_found for a file that is not for updaters; the errors of a reservation.
   */
  async downloadUrl(ctx: RequestContext, path: PackagePath): Promise<string> {
    const { opened, attachment } = await this.find(ctx, path);
    const identity = identityOfKey(opened);
    const { url } = await this.tickets.mint(
      { ...ctx, identity },
      scopeOf(opened),
      opened.build.id,
      attachment?.id ?? null,
    );
    return url;
  }

  /** Describes the file for a HEAD request, without minting a download URL. @throws AppError not_found as for `downloadUrl`. */
  async describe(ctx: RequestContext, path: PackagePath): Promise<OpenDownload> {
    const { opened, attachment } = await this.find(ctx, path);
    return this.downloads.describe(ctx, attachment ?? (await this.builds.get(ctx, scopeOf(opened), opened.build.id)));
  }

  /**
   * The block map of the current build, or of an earlier one that the installed app has: updaters compare the two. It contains hashes and
   * no part of the app. Null when the path names no block map.
   */
  async blockmap(ctx: RequestContext, path: PackagePath & { readonly version: string }): Promise<OpenDownload | null> {
    if (!BLOCKMAP.test(path.fileName)) return null;
    const opened = await this.current.require(ctx, path.token);
    const { version, fileName } = path;
    const ofCurrent = opened.build.version === version ? await this.attachmentOf(ctx, opened, path, 'blockmap') : null;
    const { platform } = opened;
    const found = ofCurrent ?? (await this.attachments.findBlockmap(ctx, opened, { platform, version, fileName }));
    return found && this.downloads.describe(ctx, found);
  }

  private async find(ctx: RequestContext, path: PackagePath): Promise<FoundFile> {
    const opened = await this.current.require(ctx, path.token);
    const { build } = opened;
    const isCurrent = 'buildId' in path ? build.id === path.buildId.toLowerCase() : build.version === path.version;
    if (isCurrent && build.fileName === path.fileName) return { opened, attachment: null };
    const attachment = isCurrent ? await this.attachmentOf(ctx, opened, path, 'update') : null;
    if (!attachment) throw AppError.notFound('file');
    return { opened, attachment };
  }

  /** An update key opens no attachments of other kinds, because everyone with the app has the key. */
  private async attachmentOf(
    ctx: RequestContext,
    opened: OpenedBuild,
    { fileName }: PackagePath,
    kind: 'update' | 'blockmap',
  ): Promise<Attachment | null> {
    const attachments = await this.attachments.listOf(ctx, opened, opened.build.id);
    return attachments.find((each) => each.kind === kind && each.fileName === fileName) ?? null;
  }
}
