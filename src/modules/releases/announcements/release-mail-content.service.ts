import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { type ReleaseWithBuild } from '../release';

export interface ReleaseMailData {
  readonly channel: string;
  readonly appName: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  /** The notes of the release, else those of the build. */
  readonly notes: string | null;
  /** Why devices cannot install the build from a link, null when they can. */
  readonly notInstallable: string | null;
}

/** Creates the links and reads the names and notes that mails about a release contain. */
@Injectable()
export class ReleaseMailContentService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
  ) {}

  /** Creates a link to the channel for each tester. @returns the URLs in the order of `testerIds`. */
  createLinks(tx: RequestContext, release: ReleaseWithBuild, testerIds: readonly string[]): Promise<readonly string[]> {
    return this.installLinks.createForTesters(tx, scopeOf(release), testerIds, { channelId: release.channelId });
  }

  async read(tx: RequestContext, release: ReleaseWithBuild): Promise<ReleaseMailData & { readonly project: string }> {
    const { name: project } = await this.projects.get(tx, scopeOf(release));
    const { name: channel } = await this.channels.get(tx, scopeOf(release), release.channelId);
    const { artifact, version, buildNumber, notes, notInstallable } = release.build;
    return {
      project,
      channel,
      appName: artifact.name,
      version,
      buildNumber,
      notes: release.notes ?? notes,
      notInstallable: notInstallable?.message ?? null,
    };
  }
}
