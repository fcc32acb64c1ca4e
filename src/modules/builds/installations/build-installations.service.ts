import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { RetentionConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { BuildInstallationsRepository } from './build-installations.repository';

/** The apps that reported to run a build. */
@Injectable()
export class BuildInstallationsService implements OnModuleInit {
  constructor(
    private readonly repository: BuildInstallationsRepository,
    private readonly jobs: Jobs,
    private readonly retention: RetentionConfig,
  ) {}

  onModuleInit(): void {
    const { downloadLogDays } = this.retention;
    this.jobs.schedule('builds.prune-installations', '27 4 * * *', (ctx) =>
      this.repository.prune(ctx, downloadLogDays),
    );
  }

  /** Counts an installation once. Does nothing for a build that was deleted, or that has too many. */
  add(ctx: RequestContext, scope: ProjectScope, buildId: string, digest: Buffer): Promise<void> {
    return this.repository.add(ctx, scope, buildId, digest);
  }

  /** The id of the newest build of a platform that was uploaded in this second of Unix time. Null when none of the newest builds was. */
  findUploadedIn(
    ctx: RequestContext,
    { projectId }: ProjectScope,
    platform: Platform,
    second: number,
  ): Promise<string | null> {
    return this.repository.findUploadedIn(ctx, projectId, platform, second);
  }
}
