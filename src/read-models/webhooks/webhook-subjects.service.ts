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
  type EventSubjects,
  type EventTraits,
  type LinkChoice,
  type WebhookActor,
  type WebhookData,
  WebhookSubjects,
} from '#modules/webhooks';
import { EventObjectsService } from './event-objects.service';
import { NewestEventsRepository } from './newest-events.repository';

/** Plain facts of events that no object has. They name nobody. */
const FACTS = ['days_left', 'expires_at', 'what', 'percent', 'count', 'notify', 'mandatory', 'sequence', 'reason'] as const;

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
    private readonly http: HttpConfig,
  ) {
    super();
  }

  async traitsOf(ctx: RequestContext, organizationId: string, change: RecordedChange): Promise<EventTraits> {
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
    change: RecordedChange,
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
      },
    };
  }

  newest(
    ctx: RequestContext,
    organizationId: string,
    projectId: string | null,
    type: string,
  ): Promise<RecordedChange | null> {
    return this.events.find(ctx, organizationId, projectId, type);
  }

  private async dataOf(ctx: RequestContext, organizationId: string, change: RecordedChange): Promise<WebhookData> {
    const { projectId, payload } = change;
    const { project_id: _, ...ids } = idsOf(change);
    const facts = Object.fromEntries(FACTS.flatMap((name) => (isFact(payload[name]) ? [[name, payload[name]]] : [])));
    const objects = projectId === null ? {} : await this.objects.read(ctx, { organizationId, projectId }, ids);
    const isGone = Object.values(objects).includes(null);
    return { ...ids, ...facts, ...objects, ...(isGone && { gone: true }) };
  }

  private async actorOf(
    ctx: RequestContext,
    { actorKind: kind, actorId, actorLabel }: RecordedChange,
  ): Promise<WebhookActor> {
    if (kind !== 'developer' || actorId === null) return { kind, name: actorLabel };
    return { kind, name: labelOf((await this.developers.findMany(ctx, [actorId])).get(actorId)) };
  }

  private buildUrlOf(organizationId: string, change: RecordedChange): string | null {
    const { build_id: buildId } = idsOf(change);
    const { baseUrl, servesDashboard } = this.http;
    if (!servesDashboard || change.projectId === null || buildId === undefined) return null;
    return `${baseUrl}/o/${organizationId}/p/${change.projectId}/builds/${buildId}`;
  }
}

function platformIn({ platform }: RecordedChange['payload']): Platform | null {
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
