import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { architectureInName, type Attachment, AttachmentsService } from '#modules/builds';
import { type OpenedBuild } from '../../current/current-build';
import { CurrentBuildsService } from '../../current/current-builds.service';
import { relationOf } from '../check/relation';
import { UpdateAddresses } from '../polling/update-addresses';
import { type FeedBuild } from './feed-build';
import { type BuildFiles, type FeedFile, type FeedNeed, filesFor } from './feed-files';

/** Reads the data that the feeds of desktop frameworks show. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly current: CurrentBuildsService,
    private readonly attachments: AttachmentsService,
    private readonly addresses: UpdateAddresses,
  ) {}

  /**
   * The current build.
   * @throws AppError not_found for a key without a build, for a key of another platform, and when the build has no file that the updater can
   * install.
   */
  async read(ctx: RequestContext, key: string, platforms: readonly Platform[], need: FeedNeed): Promise<FeedBuild> {
    return this.feedOf(ctx, await this.open(ctx, key, platforms), need);
  }

  /** Like `read`. Null when the build is not newer than the installed version, also if it has no file for the updater. */
  async readNewer(
    ctx: RequestContext,
    {
      key,
      platforms,
      version,
    }: { readonly key: string; readonly platforms: readonly Platform[]; readonly version: string },
    need: FeedNeed,
  ): Promise<FeedBuild | null> {
    const opened = await this.open(ctx, key, platforms);
    const isNewer = relationOf(opened.platform, opened.build, { version }) === 'newer';
    return isNewer ? this.feedOf(ctx, opened, need) : null;
  }

  private async open(ctx: RequestContext, key: string, platforms: readonly Platform[]): Promise<OpenedBuild> {
    const opened = await this.current.require(ctx, key);
    if (platforms.includes(opened.platform)) return opened;
    throw new AppError('not_found', { message: `This feed is not for ${opened.platform}, the platform of the key.` });
  }

  private async feedOf(ctx: RequestContext, opened: OpenedBuild, need: FeedNeed): Promise<FeedBuild> {
    const { platform, build } = opened;
    const [first, ...others] = filesFor(await this.filesOf(ctx, opened), need);
    if (!first) throw noFile(build.fileName, need);
    return {
      platform,
      version: build.version,
      buildNumber: build.buildNumber,
      notes: build.notes,
      since: build.since,
      mandatory: build.mandatory,
      files: [first, ...others],
    };
  }

  private async filesOf(ctx: RequestContext, opened: OpenedBuild): Promise<BuildFiles> {
    const { build } = opened;
    const { fileName, sizeBytes, sha256, sha512, updateSignature: signature } = build;
    const attachments = await this.attachments.listOf(ctx, opened, build.id);
    const arch = architectureInName(fileName);
    return {
      artifact: this.withUrls(opened, { fileName, sizeBytes, sha256, sha512, signature, arch }),
      updates: attachments
        .filter(({ kind }) => kind === 'update')
        .map((attachment) => this.withUrls(opened, attachmentFile(attachment))),
    };
  }

  private withUrls(opened: OpenedBuild, file: Omit<FeedFile, 'url' | 'versionedUrl'>): FeedFile {
    const url = this.addresses.ofFile(opened, file.fileName);
    return { ...file, url, versionedUrl: this.addresses.ofVersionedFile(opened, file) };
  }
}

const attachmentFile = (attachment: Attachment): Omit<FeedFile, 'url' | 'versionedUrl'> => ({
  fileName: attachment.fileName,
  sizeBytes: attachment.sizeBytes,
  sha256: attachment.sha256,
  sha512: attachment.sha512.toString('base64'),
  signature: attachment.signature,
  arch: attachment.arch,
});

function noFile(fileName: string, { arch, exactly }: FeedNeed): AppError {
  const wanted = exactly ? `a file for ${arch}` : 'a .zip';
  return new AppError('not_found', {
    message: `The updater needs ${wanted}, and the current build, ${fileName}, has none. Attach one to the build, with the kind "update".`,
  });
}
