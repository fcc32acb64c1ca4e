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
import { artifactValidity } from '../warnings/artifact-warnings';
import { type BuildFilter } from './build-filter';
import { BuildListService } from './build-list.service';
import { type BuildVersion, BuildVersionsRepository, type VersionedBuild } from './build-versions.repository';

/** The JSON of a build's addresses for callers who may not see them. No other text of the JSON contains it, as `"` is escaped in texts. */
const NO_LINKS = '"install_url":null,"qr_url":null';

/** The JSON of a build in three pieces. The second one contains its install link. */
interface BuildFragment extends Fragment {
  readonly pieces: readonly [before: JsonBytes, links: JsonBytes, after: JsonBytes];
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
    const page = await this.lists.versions(ctx, scope, filter, request, this.fragments);
    const found = await this.fragmentsOf(ctx, scope, page.items);
    const seesLinks = maySeeInstallLinks(ctx);
    const items = found.map(({ pieces: [before, links, after] }) => before + (seesLinks ? links : NO_LINKS) + after);
    return { items, nextCursor: page.nextCursor };
  }

  /** The fragments of a page. Reads the builds that are not kept in their present version, unless the page contains them already. */
  private async fragmentsOf(
    ctx: RequestContext,
    scope: ProjectScope,
    items: readonly (BuildVersion | VersionedBuild)[],
  ): Promise<BuildFragment[]> {
    const known = items.map((item) => {
      const kept = this.fragments.get(ctx, item.id, item.version);
      return kept ?? ('build' in item ? this.make(ctx, item) : undefined);
    });
    const missing = items.flatMap(({ id }, index) => (known[index] ? [] : [id]));
    const read = missing.length > 0 ? await this.versions.readOf(ctx, scope, missing) : [];
    const made = new Map(read.map((build) => [build.id, this.make(ctx, build)]));
    return items.flatMap(({ id }, index) => known[index] ?? made.get(id) ?? []);
  }

  private make(ctx: RequestContext, found: VersionedBuild): BuildFragment {
    const fragment = this.fragmentOf(found, ctx.clock.now());
    this.fragments.set(ctx, found.id, fragment);
    return fragment;
  }

  private fragmentOf({ build, version, link, label, channels }: VersionedBuild, now: Date): BuildFragment {
    const installUrl = link ? this.links.urlOf(link) : '';
    // No other code holds the build, so it is changed in place. Copying its fields would take as long as writing its JSON.
    const described = Object.assign(build, {
      uploadedBy: { ...build.uploadedBy, label },
      installUrl,
      iconUrl: build.iconMediaType === null ? null : this.icons.urlOf(build.id),
      channels,
      details: null,
    });
    // The nulls keep the places of the addresses, so that the fields have the order of the response for a single build.
    const response = Object.assign(toUploadersBuildResponse(described), { install_url: null, qr_url: null });
    const json = bytesOfText(JSON.stringify(response));
    const at = json.indexOf(NO_LINKS);
    const links = `"install_url":${JSON.stringify(installUrl)},"qr_url":${JSON.stringify(qrUrlOf(installUrl))}`;
    const { from, until } = artifactValidity(build.artifact, now);
    const pieces = [json.slice(0, at), bytesOfText(links), json.slice(at + NO_LINKS.length)] as const;
    return { version, from, until, pieces };
  }
}
