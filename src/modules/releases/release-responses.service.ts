import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { toPage } from '#infra/http/dto/pagination';
import { OwnerLabelsService } from '#modules/tokens';
import { type ReleasePage, type ReleaseResponse } from './dto/release.response';
import { type ReleaseWithBuild } from './release';
import { toReleaseResponse } from './releases.mapper';

/** Releases as the API shows them: with the name of the promoter. */
@Injectable()
export class ReleaseResponsesService {
  constructor(private readonly labels: OwnerLabelsService) {}

  async one(ctx: RequestContext, release: ReleaseWithBuild): Promise<ReleaseResponse> {
    const [response] = await this.many(ctx, release, [release]);
    return response as ReleaseResponse;
  }

  /** @param releases releases of one project. */
  async many(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly ReleaseWithBuild[],
  ): Promise<ReleaseResponse[]> {
    const labelled = await this.labels.read(
      ctx,
      scope,
      releases.map(({ promotedBy }) => promotedBy),
    );
    return releases.map((release) => toReleaseResponse(ctx, { ...release, promotedBy: labelled(release.promotedBy) }));
  }

  /** @param page releases of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<ReleaseWithBuild>): Promise<ReleasePage> {
    return toPage({ ...page, items: await this.many(ctx, scope, page.items) }, (response) => response);
  }
}
