import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type Fragment, FragmentCache, KEPT_BUILDS_BYTES } from '#infra/fragments/fragment-cache';
import { InstallLinksService, qrUrlOf } from '#modules/install-links';
import { BuildIconsService } from '../../icons/build-icons.service';
import { type Build, type DescribedBuild } from '../build';
import { BuildRelationsService } from '../build-relations.service';
import { toChannels, toUploadersBuildResponse } from '../builds.mapper';
import { type BuildResponse } from '../dto/build.response';
import { artifactValidity } from '../warnings/artifact-warnings';
import { type BuildFilter } from './build-filter';
import { BuildListRepository, type BuildVersion, type VersionedBuild } from './build-list.repository';
import { BuildListService } from './build-list.service';

/** Stands in the JSON of a build for a value that is inserted later. No text of a build can contain it. */
const PLACEHOLDER = randomUUID();

/** The JSON of a build without what differs from caller to caller or belongs to other rows, and the values that are inserted. */
interface BuildFragment extends Fragment {
  readonly build: Pick<DescribedBuild, 'id' | 'installUrl'> & Pick<Build, 'uploadedBy'>;
}

/**
 * Writes the JSON of lists of builds. The JSON of a build is kept until its row or its link changes, or until it has another warning
 * (docs/decisions/0053-versioned-fragments.md).
 */
@Injectable()
export class BuildPagesService {
  readonly fragments = new FragmentCache<BuildFragment>(KEPT_BUILDS_BYTES);

  constructor(
    private readonly lists: BuildListService,
    private readonly repository: BuildListRepository,
    private readonly relations: BuildRelationsService,
    private readonly links: InstallLinksService,
    private readonly icons: BuildIconsService,
  ) {}

  /** A page of builds as the caller may see it, each the JSON of a `BuildResponse`. A build that is deleted after the page was selected is missing in it. */
  async write(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<string>> {
    const page = await this.lists.versions(ctx, scope, filter, request);
    const found = await this.fragmentsOf(ctx, scope, page);
    const relationsOf = await this.relations.read(
      ctx,
      scope,
      found.map(({ build }) => build),
    );
    const seesLinks = maySeeInstallLinks(ctx);
    const items = found.map(({ build, pieces }) => {
      const { uploadedBy, channels } = relationsOf(build);
      const url = seesLinks ? build.installUrl : null;
      const values = [uploadedBy.label, url, url && qrUrlOf(url), toChannels(channels)];
      return values.reduce<string>((text, value, at) => text + JSON.stringify(value) + pieces[at + 1], pieces[0] ?? '');
    });
    return { items, nextCursor: page.nextCursor };
  }

  /** The fragments of a page. Reads the builds that are not kept in their present version. */
  private async fragmentsOf(
    ctx: RequestContext,
    scope: ProjectScope,
    { items }: Page<BuildVersion>,
  ): Promise<BuildFragment[]> {
    const known = new Map<string, BuildFragment>();
    for (const { id, version } of items) {
      const kept = this.fragments.get(ctx, id, version);
      if (kept) known.set(id, kept);
    }
    const missing = items.flatMap(({ id }) => (known.has(id) ? [] : [id]));
    const read = missing.length > 0 ? await this.repository.findVersions(ctx, scope, missing) : [];
    for (const found of read) {
      const fragment = this.fragmentOf(found, ctx.clock.now());
      this.fragments.set(ctx, found.build.id, fragment);
      known.set(found.build.id, fragment);
    }
    return items.flatMap(({ id }) => known.get(id) ?? []);
  }

  private fragmentOf({ build, version, link }: VersionedBuild, now: Date): BuildFragment {
    const { id, uploadedBy } = build;
    const installUrl = link ? this.links.urlOf(link) : '';
    const iconUrl = build.iconMediaType === null ? null : this.icons.urlOf(id);
    const described = {
      ...build,
      uploadedBy: { ...uploadedBy, label: PLACEHOLDER },
      installUrl,
      iconUrl,
      channels: [],
      details: null,
    };
    const response: Record<keyof BuildResponse, unknown> = {
      ...toUploadersBuildResponse(described),
      install_url: PLACEHOLDER,
      qr_url: PLACEHOLDER,
      channels: PLACEHOLDER,
    };
    const pieces = JSON.stringify(response).split(`"${PLACEHOLDER}"`);
    return { version, ...artifactValidity(build.artifact, now), pieces, build: { id, uploadedBy, installUrl } };
  }
}
