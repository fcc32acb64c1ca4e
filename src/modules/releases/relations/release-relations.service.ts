import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { BuildListService } from '#modules/builds';
import { OwnerLabelsService } from '#modules/tokens';
import { type ReleaseWithBuild, type LabelledRelease } from '../release';
import { ReleaseMailsRepository } from '../announcements/release-mails.repository';
import { ReleaseRelationsRepository } from './release-relations.repository';

/** Answers the filters of builds by channel. */
@Injectable()
export class ReleaseRelationsService implements OnModuleInit {
  constructor(
    private readonly repository: ReleaseRelationsRepository,
    private readonly buildList: BuildListService,
  ) {}

  onModuleInit(): void {
    this.buildList.promotedTo.add((ctx, scope, channelId) => this.repository.listBuilds(ctx, { ...scope, channelId }));
    this.buildList.currentIn.add((ctx, scope, channelId) =>
      this.repository.listCurrentBuilds(ctx, { ...scope, channelId }),
    );
  }
}

/** Adds to releases, for responses, the name of the promoter and the number of mails. */
@Injectable()
export class ReleaseLabelsService {
  constructor(
    private readonly labels: OwnerLabelsService,
    private readonly mails: ReleaseMailsRepository,
  ) {}

  async one(ctx: RequestContext, release: ReleaseWithBuild): Promise<LabelledRelease> {
    const [labelled] = await this.many(ctx, release, [release]);
    return labelled as LabelledRelease;
  }

  /** @param releases releases of one project. */
  async many(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly ReleaseWithBuild[],
  ): Promise<LabelledRelease[]> {
    const labelled = await this.labels.read(
      ctx,
      scope,
      releases.map(({ promotedBy }) => promotedBy),
    );
    const mails = await this.mails.count(
      ctx,
      releases.map(({ id }) => id),
    );
    return releases.map((release) => ({
      ...release,
      promotedBy: labelled(release.promotedBy),
      mails: mails.get(release.id) ?? null,
    }));
  }

  /** @param page releases of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<ReleaseWithBuild>): Promise<Page<LabelledRelease>> {
    return { ...page, items: await this.many(ctx, scope, page.items) };
  }
}
