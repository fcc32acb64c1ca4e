import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { OwnerLabelsService } from '#modules/tokens';
import { ReleaseMailsRepository } from '../announcements/release-mails.repository';
import { type LabelledRelease, type ReleaseWithBuild } from '../release';

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
