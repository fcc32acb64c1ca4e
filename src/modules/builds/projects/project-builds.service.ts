import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InstallLinksService } from '#modules/install-links';
import { DOWNLOAD_DAYS, type ProjectBuild, type ProjectFacts, ProjectFactsService } from '#modules/projects';
import { artifactFromJson } from '../catalogue/build-from-row';
import { signingExpiresAt } from '../catalogue/warnings/signing-expiry';
import { installability } from '../catalogue/warnings/artifact-warnings';
import { BuildIconsService } from '../icons/build-icons.service';
import { BUILDS_OF_PROJECT, ICON_OF_PROJECT, type LatestBuild, type ProjectBuilds } from './project-builds';

type BuildFacts = Pick<ProjectFacts, 'latest' | 'builds' | 'downloadsByDay' | 'lastUploadAt' | 'lastDownloadAt'>;

/** Adds data about builds and downloads to the responses for projects. */
@Injectable()
export class ProjectBuildsService implements OnModuleInit {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly icons: BuildIconsService,
    private readonly projects: ProjectFactsService,
  ) {}

  onModuleInit(): void {
    this.projects.addIcon({
      sql: ICON_OF_PROJECT,
      toFields: (iconBuildId: string | null) => ({
        iconBuildId,
        iconUrl: iconBuildId && this.icons.urlOf(iconBuildId),
      }),
    });
    this.projects.addFacts({
      sql: BUILDS_OF_PROJECT,
      toFields: (found: ProjectBuilds, now) => this.toFacts(found, now),
    });
  }

  private toFacts({ builds, lastDownloadAt, latest, downloads }: ProjectBuilds, now: Date): BuildFacts {
    const newest = (latest ?? []).map((build) => this.toProjectBuild(build, now));
    const lastUploadAt = newest.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]?.uploadedAt ?? null;
    return {
      builds,
      latest: newest,
      downloadsByDay: Array.from({ length: DOWNLOAD_DAYS }, (_, day) => downloads?.[day] ?? 0),
      lastUploadAt,
      lastDownloadAt: lastDownloadAt === null ? null : new Date(lastDownloadAt),
    };
  }

  private toProjectBuild(build: LatestBuild, now: Date): ProjectBuild {
    const { id, platform, version, buildNumber, sizeBytes, linkId, sealedToken } = build;
    const artifact = artifactFromJson(build.artifact);
    return {
      id,
      platform,
      version,
      buildNumber,
      sizeBytes,
      uploadedAt: new Date(build.uploadedAt),
      installable: installability(artifact, now).installable,
      installUrl:
        linkId === null ? '' : this.installLinks.urlOf({ id: linkId, sealedToken: Buffer.from(sealedToken, 'hex') }),
      iconUrl: build.hasIcon ? this.icons.urlOf(id) : null,
      signingExpiresAt: signingExpiresAt(artifact.signing),
    };
  }
}
