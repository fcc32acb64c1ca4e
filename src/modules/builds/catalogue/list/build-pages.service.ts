import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type Fragment, FragmentCache, KEPT_BUILDS_BYTES } from '#infra/fragments/fragment-cache';
import { bytesOfText, type JsonBytes } from '#infra/fragments/json-bytes';
import { InstallLinksService, qrUrlOf } from '#modules/install-links';
import { BuildIconsService } from '../../icons/build-icons.service';
import { toUploadersBuildResponse } from '../builds.mapper';
import { type BuildResponse } from '../dto/build.response';
import { artifactValidity } from '../warnings/artifact-warnings';
import { type BuildFilter } from './build-filter';
import { BuildListService } from './build-list.service';
import { type BuildVersion, BuildVersionsRepository, type VersionedBuild } from './build-versions.repository';

/** Stands in the JSON of a build for an address that only some callers may see. No text of a build can contain it. */
const PLACEHOLDER = randomUUID();
const ADDRESSES = { install_url: PLACEHOLDER, qr_url: PLACEHOLDER } satisfies Partial<BuildResponse>;

/** The JSON of a build, with and without its link. */
interface BuildFragment extends Fragment {
  readonly pieces: readonly [before: JsonBytes, link: JsonBytes, noLink: JsonBytes, after: JsonBytes];
}

/**
 * Writes the JSON of lists of builds. The JSON of a build is kept until its row, or what other tables say about it, changes, or until it
 * has another warning (docs/decisions/0053-versioned-fragments.md).
 */
@Injectable()
export class BuildPagesService {
  readonly fragments = new FragmentCache<BuildFragment>(KEPT_BUILDS_BYTES);

  constructor(
    private readonly lists: BuildListService,
    private readonly versions: BuildVersionsRepository,
    private readonly links: InstallLinksService,
    private readonly icons: BuildIconsService,
  ) {}

  /**
   * A page of builds as the caller may see it, each the JSON of a `BuildResponse`. A build that is deleted after the page was selected is
   * missing in it.
   */
  async write(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<JsonBytes>> {
    const page = await this.lists.versions(ctx, scope, filter, request);
    const found = await this.fragmentsOf(ctx, scope, page);
    const seesLinks = maySeeInstallLinks(ctx);
    const items = found.map(
      ({ pieces: [before, link, noLink, after] }) => before + (seesLinks ? link : noLink) + after,
    );
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
    const read = missing.length > 0 ? await this.versions.read(ctx, scope, missing) : [];
    for (const found of read) {
      const fragment = this.fragmentOf(found, ctx.clock.now());
      this.fragments.set(ctx, found.build.id, fragment);
      known.set(found.build.id, fragment);
    }
    return items.flatMap(({ id }) => known.get(id) ?? []);
  }

  private fragmentOf({ build, version, link, label, channels }: VersionedBuild, now: Date): BuildFragment {
    const installUrl = link ? this.links.urlOf(link) : '';
    // The build is this function's own. A copy of its fields would take as long as its JSON.
    const described = Object.assign(build, {
      uploadedBy: { ...build.uploadedBy, label },
      installUrl,
      iconUrl: build.iconMediaType === null ? null : this.icons.urlOf(build.id),
      channels,
      details: null,
    });
    // Both keep their places: the fields are in the order of the response for a single build.
    const response = Object.assign(toUploadersBuildResponse(described), ADDRESSES);
    const [before = '', between = '', after = ''] = bytesOfText(JSON.stringify(response)).split(`"${PLACEHOLDER}"`);
    const shown = JSON.stringify(installUrl) + between + JSON.stringify(qrUrlOf(installUrl));
    const pieces = [before, bytesOfText(shown), `null${between}null`, after] as const;
    return { version, ...artifactValidity(build.artifact, now), pieces };
  }
}
