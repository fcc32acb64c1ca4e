import { Injectable } from '@nestjs/common';
import { idsOf, type RecordedChange } from '#kernel/audit/change';
import { isPlatform, type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { BuildsService } from '#modules/builds';
import { DevelopersService, labelOf } from '#modules/developers';
import { OrganizationsService } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import {
  type BuildDownloads,
  type EventSubjects,
  type EventTraits,
  type LinkChoice,
  type SentChange,
  type UncountedTime,
  type WebhookActor,
  type WebhookData,
  type WebhookScope,
  WebhookSubjects,
} from '#modules/webhooks';
import { CountedDownloadsRepository } from './counted-downloads.repository';
import { EventObjectsService } from './event-objects.service';
import { NewestEventsRepository } from './newest-events.repository';
import { PreviousSizesRepository } from './previous-sizes.repository';

/** The fields of payloads that no object has, and that contain no personal data. */
const FACTS = [
  'count',
  'days_left',
  'expires_at',
  'mandatory',
  'notify',
  'percent',
  'reason',
  'sequence',
  'since',
  'until',
  'what',
] as const;

/** Reads the objects of an event by the ids that it contains: never the latest of a list, which could be another one. */
@Injectable()
export class WebhookSubjectsService extends WebhookSubjects {
  constructor(
    private readonly builds: BuildsService,
    private readonly objects: EventObjectsService,
    private readonly developers: DevelopersService,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
    private readonly events: NewestEventsRepository,
    private readonly sizes: PreviousSizesRepository,
    private readonly counted: CountedDownloadsRepository,
    private readonly http: HttpConfig,
  ) {
    super();
  }

  async traitsOf(ctx: RequestContext, organizationId: string, change: SentChange): Promise<EventTraits> {
    const { projectId, payload } = change;
    const { build_id: buildId, channel_id: channelId = null } = idsOf(change);
    const stated = platformIn(payload);
    if (projectId === null || buildId === undefined)
      return { isOfBuild: stated !== null, channelId, platform: stated, branch: null };
    const found = (await this.builds.findMany(ctx, { organizationId, projectId }, [buildId])).get(buildId);
    const platform: Platform | null = found?.platform ?? stated;
    return { isOfBuild: true, channelId, platform, branch: found?.source.branch ?? null };
  }

  async read(
    ctx: RequestContext,
    organizationId: string,
    change: SentChange,
    { includeLinks }: LinkChoice,
  ): Promise<EventSubjects> {
    const data = await this.dataOf(ctx, organizationId, change);
    const { projectId } = change;
    const names = projectId === null ? null : await this.projects.findNames(ctx, organizationId, [projectId]);
    return {
      actor: await this.actorOf(ctx, change),
      data,
      context: {
        projectName: (projectId !== null && names?.get(projectId)) || null,
        organizationName: (await this.organizations.findName(ctx, organizationId)) ?? '',
        buildUrl: this.buildUrlOf(organizationId, change),
        installUrl: includeLinks ? linkIn(data) : null,
        previousSizeBytes: await this.previousSizeOf(ctx, organizationId, change),
      },
    };
  }

  downloads(ctx: RequestContext, scope: WebhookScope, time: UncountedTime): Promise<readonly BuildDownloads[]> {
    return this.counted.between(ctx, scope, time);
  }

  newest(
    ctx: RequestContext,
    organizationId: string,
    projectId: string | null,
    type: string,
  ): Promise<RecordedChange | null> {
    return this.events.find(ctx, organizationId, projectId, type);
  }

  private async dataOf(ctx: RequestContext, organizationId: string, change: SentChange): Promise<WebhookData> {
    const { projectId, payload } = change;
    const { project_id: _, ...ids } = idsOf(change);
    const facts = Object.fromEntries(FACTS.flatMap((name) => (isFact(payload[name]) ? [[name, payload[name]]] : [])));
    const objects = projectId === null ? {} : await this.objects.read(ctx, { organizationId, projectId }, ids);
    const isGone = Object.values(objects).includes(null);
    return { ...ids, ...facts, ...objects, ...(isGone && { gone: true }) };
  }

  private async actorOf(
    ctx: RequestContext,
    { actorKind: kind, actorId, actorLabel }: SentChange,
  ): Promise<WebhookActor> {
    if (kind !== 'developer' || actorId === null) return { kind, name: actorLabel };
    return { kind, name: labelOf((await this.developers.findMany(ctx, [actorId])).get(actorId)) };
  }

  /** What a new build is compared with: an upload with the upload before, a release with the release before. */
  private async previousSizeOf(
    ctx: RequestContext,
    organizationId: string,
    change: SentChange,
  ): Promise<number | null> {
    const { type, projectId } = change;
    const { build_id: buildId, release_id: releaseId } = idsOf(change);
    if (projectId === null) return null;
    const scope = { organizationId, projectId };
    if (type === 'build.uploaded' && buildId !== undefined) return this.sizes.beforeUpload(ctx, scope, buildId);
    if (type === 'release.promoted' && releaseId !== undefined) return this.sizes.beforeRelease(ctx, scope, releaseId);
    return null;
  }

  private buildUrlOf(organizationId: string, change: SentChange): string | null {
    const { build_id: buildId } = idsOf(change);
    const { baseUrl, servesDashboard } = this.http;
    if (!servesDashboard || change.projectId === null || buildId === undefined) return null;
    return `${baseUrl}/o/${organizationId}/p/${change.projectId}/builds/${buildId}`;
  }
}

function platformIn({ platform }: SentChange['payload']): Platform | null {
  return typeof platform === 'string' && isPlatform(platform) ? platform : null;
}

const isFact = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The link of the channel, which always opens its current build; else that of the build. */
function linkIn({ channel, build }: WebhookData): string | null {
  for (const found of [channel, build]) {
    const url = (found as { readonly install_url?: unknown } | null | undefined)?.install_url;
    if (typeof url === 'string') return url;
  }
  return null;
}
