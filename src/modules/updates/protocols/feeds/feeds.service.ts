import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { relationOf } from '../check/relation';
import { CurrentBuildsService } from '../../current/current-builds.service';
import { UpdateAddresses } from '../polling/update-addresses';
import { type FeedBuild } from './feed-build';
import { fileForMac } from './mac-file';

/** Reads the data that the feeds of desktop frameworks show. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly current: CurrentBuildsService,
    private readonly addresses: UpdateAddresses,
  ) {}

  /** The current build. @throws AppError not_found for a key without a build, and for a key of another platform. */
  async read(ctx: RequestContext, key: string, platforms: readonly Platform[]): Promise<FeedBuild> {
    const opened = await this.current.require(ctx, key);
    const { platform, build } = opened;
    if (!platforms.includes(platform)) {
      throw new AppError('not_found', { message: `This feed is not for ${platform}, the platform of the key.` });
    }
    return {
      platform,
      version: build.version,
      buildNumber: build.buildNumber,
      notes: build.notes,
      since: build.since,
      mandatory: build.mandatory,
      url: this.addresses.ofPackage(opened),
      fileName: build.fileName,
      sizeBytes: build.sizeBytes,
      sha256: build.sha256,
      sha512: build.sha512,
      signature: build.updateSignature,
    };
  }

  /** `read` for electron-updater. @throws AppError not_found also for a build without a file that it installs. */
  async readForElectron(ctx: RequestContext, key: string, platform: Platform): Promise<FeedBuild> {
    const build = await this.read(ctx, key, [platform]);
    return platform === 'macos' ? fileForMac(build) : build;
  }

  /** Like `read`. Null when the build is not newer than the installed version. */
  async readNewer(
    ctx: RequestContext,
    key: string,
    platforms: readonly Platform[],
    version: string,
  ): Promise<FeedBuild | null> {
    const build = await this.read(ctx, key, platforms);
    return relationOf(build.platform, build, { version }) === 'newer' ? build : null;
  }
}
