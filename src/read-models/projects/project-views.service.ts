import { Injectable } from '@nestjs/common';
import { nearSigningEnd, signingEndOf } from '#kernel/builds/signing-end';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { artifactFromJson, type ArtifactRecord, BuildIconsService, installability } from '#modules/builds';
import { InstallLinksService } from '#modules/install-links';
import {
  type DescribedProject,
  DOWNLOAD_DAYS,
  NO_FACTS,
  type Project,
  type ProjectBuild,
  type ProjectCurrentBuild,
  type ProjectFacts,
  type ProjectFilter,
  type ProjectIcon,
  type ProjectSigningEnd,
  type ProjectSummary,
  ProjectViews,
  type VisibleProject,
} from '#modules/projects';
import { type CurrentRow, type FactsRow, type LatestBuild, ProjectFactsRepository } from './project-facts.repository';
import { VisibleProjectsRepository } from './visible-projects.repository';

/** Adds the icon to projects, for responses, and on request a summary. */
@Injectable()
export class ProjectViewsService extends ProjectViews {
  constructor(
    private readonly repository: ProjectFactsRepository,
    private readonly visible: VisibleProjectsRepository,
    private readonly installLinks: InstallLinksService,
    private readonly icons: BuildIconsService,
  ) {
    super();
  }

  async one(ctx: RequestContext, project: Project): Promise<DescribedProject> {
    const [described] = await this.withIcons(ctx, project.organizationId, [project]);
    return described as DescribedProject;
  }

  async list(
    ctx: RequestContext,
    organizationId: string,
    { summaries, ...filter }: ProjectFilter & { readonly summaries: boolean },
    request: PageRequest,
  ): Promise<Page<DescribedProject>> {
    const { developerId } = developerOf(ctx);
    const page = await this.visible.list(ctx, organizationId, { ...filter, developerId }, request);
    const items = summaries
      ? (await this.summaries(ctx, organizationId, page.items)).map(describedBy)
      : await this.withIcons(ctx, organizationId, page.items);
    return { ...page, items };
  }

  async summary(ctx: RequestContext, project: Project): Promise<ProjectSummary> {
    const { identity, projectRole = null } = ctx;
    const role = identity.kind === 'project-token' ? identity.role : projectRole;
    const [summary] = await this.summaries(ctx, project.organizationId, [{ ...project, role }]);
    return summary as ProjectSummary;
  }

  private async withIcons(
    ctx: RequestContext,
    organizationId: string,
    projects: readonly Project[],
  ): Promise<DescribedProject[]> {
    const found = byId(await this.repository.icons(ctx, organizationId, projects.map(idOf)));
    return projects.map((project) => ({
      ...project,
      ...this.iconOf(found.get(project.id)?.iconBuildId ?? null),
      summary: null,
    }));
  }

  private async summaries(
    ctx: RequestContext,
    organizationId: string,
    projects: readonly VisibleProject[],
  ): Promise<ProjectSummary[]> {
    const found = byId(await this.repository.facts(ctx, organizationId, projects.map(idOf)));
    const now = ctx.clock.now();
    return projects.map((project) => {
      const row = found.get(project.id);
      const icon = this.iconOf(row?.iconBuildId ?? null);
      return { project, role: project.role, ...icon, ...(row ? this.factsFrom(row, now) : NO_FACTS) };
    });
  }

  private iconOf(iconBuildId: string | null): ProjectIcon {
    return { iconBuildId, iconUrl: iconBuildId && this.icons.urlOf(iconBuildId) };
  }

  private factsFrom({ latest: found, downloads, channels, current, ...row }: FactsRow, now: Date): ProjectFacts {
    const { builds, testers, openUploads, lastReleaseAt, lastDownloadAt } = row;
    const latest = (found ?? []).map((build) => this.projectBuildFrom(build, now));
    return {
      builds,
      testers,
      openUploads,
      latest,
      channels: channels ?? [],
      current: (current ?? []).map((build) => currentBuildFrom(build, now)),
      signingEnds: signingEndsOf(found ?? [], current ?? [], now),
      downloadsByDay: Array.from({ length: DOWNLOAD_DAYS }, (_, day) => downloads?.[day] ?? 0),
      lastUploadAt: latest.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]?.uploadedAt ?? null,
      lastReleaseAt,
      lastDownloadAt,
    };
  }

  private projectBuildFrom(build: LatestBuild, now: Date): ProjectBuild {
    const { id, platform, version, buildNumber, sizeBytes, linkId, sealedToken } = build;
    return {
      id,
      platform,
      version,
      buildNumber,
      sizeBytes,
      uploadedAt: new Date(build.uploadedAt),
      installUrl:
        linkId === null ? null : this.installLinks.urlOf({ id: linkId, sealedToken: Buffer.from(sealedToken, 'hex') }),
      iconUrl: build.hasIcon ? this.icons.urlOf(id) : null,
      ...usability(build.artifact, now),
    };
  }
}

const currentBuildFrom = ({ promotedAt, artifact, ...build }: CurrentRow, now: Date): ProjectCurrentBuild => ({
  ...build,
  promotedAt: new Date(promotedAt),
  ...usability(artifact, now),
});

/** The builds that testers can get whose signature has ended or ends soon, each once. */
function signingEndsOf(latest: readonly LatestBuild[], current: readonly CurrentRow[], now: Date): ProjectSigningEnd[] {
  const shown = [
    ...latest.filter(({ hasRecentLink }) => hasRecentLink).map(({ id, ...build }) => ({ ...build, buildId: id })),
    ...current,
  ];
  const ends = shown.flatMap(({ buildId, platform, version, buildNumber, artifact }) => {
    const end = nearSigningEnd(signingEndOf(artifactFromJson(artifact).signing), now);
    return end ? [{ buildId, platform, version, buildNumber, ...end }] : [];
  });
  const sorted = ends.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return [...new Map(sorted.map((build) => [build.buildId, build])).values()];
}

/** Whether a device can install a build now, and until when it launches. */
function usability(stored: ArtifactRecord, now: Date): Pick<ProjectBuild, 'installable' | 'signingExpiresAt'> {
  const artifact = artifactFromJson(stored);
  return {
    installable: installability(artifact, now).installable,
    signingExpiresAt: signingEndOf(artifact.signing)?.at ?? null,
  };
}

const idOf = ({ id }: { readonly id: string }): string => id;

const byId = <Row extends { readonly id: string }>(found: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(found.map((row) => [row.id, row]));

const describedBy = (summary: ProjectSummary): DescribedProject => {
  const { project, iconBuildId, iconUrl } = summary;
  return { ...project, iconBuildId, iconUrl, summary };
};
