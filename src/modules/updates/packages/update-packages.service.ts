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

/** The file of a path: an attachment of a build, or its artifact. */
interface FoundFile {
  readonly opened: OpenedBuild;
  readonly buildId: string;
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
    const { opened, buildId, attachment } = await this.find(ctx, path);
    const identity = identityOfKey(opened);
    const { url } = await this.tickets.mint({ ...ctx, identity }, scopeOf(opened), buildId, attachment?.id ?? null);
    return url;
  }

  /** Describes the file for a HEAD request, without minting a download URL. @throws AppError not_found as for `downloadUrl`. */
  async describe(ctx: RequestContext, path: PackagePath): Promise<OpenDownload> {
    const { opened, buildId, attachment } = await this.find(ctx, path);
    return this.downloads.describe(ctx, attachment ?? (await this.builds.get(ctx, scopeOf(opened), buildId)));
  }

  private async find(ctx: RequestContext, path: PackagePath): Promise<FoundFile> {
    const opened = await this.current.require(ctx, path.token);
    const { id: buildId, version, fileName } = opened.build;
    const isCurrent = 'buildId' in path ? buildId === path.buildId.toLowerCase() : version === path.version;
    if (isCurrent && fileName === path.fileName) return { opened, buildId, attachment: null };
    const attachment = isCurrent ? await this.attachmentOf(ctx, opened, path.fileName) : null;
    if (attachment) return { opened, buildId, attachment };
    const blockmap = 'version' in path ? await this.blockmapOf(ctx, opened, path) : null;
    if (!blockmap?.buildId) throw AppError.notFound('file');
    return { opened, buildId: blockmap.buildId, attachment: blockmap };
  }

  /** An update key opens no attachments of other kinds, because everyone with the app has the key. */
  private async attachmentOf(ctx: RequestContext, opened: OpenedBuild, fileName: string): Promise<Attachment | null> {
    const attachments = await this.attachments.listOf(ctx, opened, opened.build.id);
    return attachments.find((each) => each.kind === 'update' && each.fileName === fileName) ?? null;
  }

  /**
   * The block map of the current build, or of an earlier one that the installed app has: updaters compare the two. It contains hashes and
   * no part of the app.
   */
  private async blockmapOf(
    ctx: RequestContext,
    opened: OpenedBuild,
    { version, fileName }: { readonly version: string; readonly fileName: string },
  ): Promise<Attachment | null> {
    if (!BLOCKMAP.test(fileName)) return null;
    const { platform } = opened;
    return this.attachments.findBlockmap(ctx, opened, { platform, version, fileName });
  }
}
