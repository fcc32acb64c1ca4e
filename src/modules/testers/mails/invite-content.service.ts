import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { ProjectsService } from '#modules/projects';

/** What an invitation's link opens: one build, one channel or, when both are null, every build that the tester may install. */
export interface InviteTarget {
  readonly buildId: string | null;
  readonly channelId: string | null;
}

export interface InviteMailData {
  readonly channel: string | null;
  readonly build: {
    readonly appName: string | null;
    readonly version: string;
    readonly buildNumber: string | null;
    readonly notes: string | null;
  } | null;
}

/** Reads the names and notes that an invitation mail shows. */
@Injectable()
export class InviteContentService {
  constructor(
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
  ) {}

  /** @throws AppError not_found */
  async read(
    ctx: RequestContext,
    scope: ProjectScope,
    { buildId, channelId }: InviteTarget,
  ): Promise<InviteMailData & { readonly project: string; readonly language: Language }> {
    const { name: project, language } = await this.projects.get(ctx, scope);
    const channel = channelId === null ? null : (await this.channels.get(ctx, scope, channelId)).name;
    if (buildId === null) return { project, language, channel, build: null };
    const { artifact, version, buildNumber, notes } = await this.builds.get(ctx, scope, buildId);
    return { project, language, channel, build: { appName: artifact.name, version, buildNumber, notes } };
  }
}
