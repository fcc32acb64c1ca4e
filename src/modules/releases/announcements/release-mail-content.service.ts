import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { messagesFor } from '#infra/pages/messages/messages';
import { type ReleaseWithBuild } from '../release';

export interface ReleaseMailVersion {
  readonly appName: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  /** The notes of the release, else those of the build. */
  readonly notes: string | null;
  /** Why devices cannot install the build from a link, null when they can. */
  readonly notInstallable: string | null;
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
}

export function versionOf({ build, notes }: ReleaseWithBuild, language: Language): ReleaseMailVersion {
  const { artifact, version, buildNumber, notInstallable } = build;
  const reasons: Readonly<Record<string, string>> = messagesFor(language).install.warnings;
  return {
    appName: artifact.name,
    version,
    buildNumber,
    notes: notes ?? build.notes,
    notInstallable: notInstallable && (reasons[notInstallable.code] ?? notInstallable.message),
  };
}
