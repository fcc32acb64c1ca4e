import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { BuildDiffService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { messagesFor } from '#infra/pages/messages/messages';
import { changesLine } from './changes-line';
import { type ReleaseWithBuild } from '../release';
import { ReleasesRepository } from '../releases.repository';

export interface ReleaseMailVersion {
  readonly appName: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  /** The notes of the release, else those of the build. */
  readonly notes: string | null;
  /** Why devices cannot install the build from a link, null when they can. */
  readonly notInstallable: string | null;
  /** What changed since the build that was current before, null when testers notice nothing. */
  readonly changes: string | null;
}

export interface ReleaseMailData {
  readonly channel: string;
  /** Several when releases of several platforms share the mail. */
  readonly versions: readonly [ReleaseMailVersion, ...ReleaseMailVersion[]];
}

/** Creates the links and reads the names that mails about releases contain. */
@Injectable()
export class ReleaseMailContentService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
    private readonly releases: ReleasesRepository,
    private readonly builds: BuildDiffService,
  ) {}

  /** Creates a link to the channel for each tester. @returns the URLs in the order of `testerIds`. */
  createLinks(tx: RequestContext, channel: ChannelScope, testerIds: readonly string[]): Promise<readonly string[]> {
    return this.installLinks.createForTesters(tx, scopeOf(channel), testerIds, { channelId: channel.channelId });
  }

  async readNames(
    tx: RequestContext,
    scope: ChannelScope,
  ): Promise<Pick<ReleaseMailData, 'channel'> & { readonly project: string; readonly language: Language }> {
    const { name: project, language } = await this.projects.get(tx, scope);
    const { name: channel } = await this.channels.get(tx, scope, scope.channelId);
    return { project, language, channel };
  }

  async readVersion(tx: RequestContext, release: ReleaseWithBuild, language: Language): Promise<ReleaseMailVersion> {
    const { build, notes } = release;
    const { artifact, version, buildNumber, notInstallable } = build;
    const reasons: Readonly<Record<string, string>> = messagesFor(language).install.warnings;
    return {
      appName: artifact.name,
      version,
      buildNumber,
      notes: notes ?? build.notes,
      notInstallable: notInstallable && (reasons[notInstallable.code] ?? notInstallable.message),
      changes: await this.readChanges(tx, release, language),
    };
  }

  private async readChanges(tx: RequestContext, release: ReleaseWithBuild, language: Language): Promise<string | null> {
    const previous = await this.releases.findPrevious(tx, release);
    if (!previous) return null;
    const diff = await this.builds.compare(tx, release, release.buildId, previous.buildId);
    const { platform, version, buildNumber } = release.build;
    const since = {
      platform,
      version: diff.version?.from ?? version,
      buildNumber: diff.buildNumber ? diff.buildNumber.from : buildNumber,
    };
    return changesLine(diff, since, language);
  }
}
