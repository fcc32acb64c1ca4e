import { Injectable } from '@nestjs/common';
import { maySeeInstallLinks, maySeeTesterData } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { BUILD_CACHE_BYTES, type Fragment, FragmentCache } from '#infra/fragments/fragment-cache';
import { bytesOfText, type JsonBytes } from '#infra/fragments/json-bytes';
import {
  artifactValidity,
  type BuildChannel,
  type BuildFilter,
  BuildIconsService,
  BuildListService,
  buildsList,
  BuildViews,
  type BuildWithDetails,
  ProfileDevicesService,
  type ShownBuild,
  toUploadersBuildResponse,
} from '#modules/builds';
import { InstallLinksService, NO_URLS } from '#modules/install-links';
import { type BuildVersion, BuildVersionsRepository, type VersionedBuild } from './build-versions.repository';

/** The JSON of a build's addresses for callers who may not see them. No other text of the JSON contains it, as `"` is escaped in texts. */
const NO_LINKS = '"install_url":null,"qr_url":null';

/** The JSON of a build in three pieces. The second one contains its install link. */
interface BuildFragment extends Fragment {
  readonly pieces: readonly [before: JsonBytes, links: JsonBytes, after: JsonBytes];
}

/**
 * Reads builds for responses. The JSON of a build in lists is cached until its row, or what other tables say about it, changes, or until it
 * has another warning (docs/decisions/0053-versioned-fragments.md).
 */
@Injectable()
export class BuildViewsService extends BuildViews {
  readonly fragments = new FragmentCache<BuildFragment>(BUILD_CACHE_BYTES);

  constructor(
    private readonly lists: BuildListService,
    private readonly versions: BuildVersionsRepository,
    private readonly links: InstallLinksService,
    private readonly icons: BuildIconsService,
    private readonly devices: ProfileDevicesService,
  ) {
    super();
  }

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<JsonBytes>> {
    const page = await (isPlain(filter)
      ? this.newest(ctx, scope, request)
      : this.filtered(ctx, scope, filter, request));
    const found = await this.fragmentsOf(ctx, scope, page.items);
    const seesLinks = maySeeInstallLinks(ctx);
    const items = found.map(({ pieces: [before, links, after] }) => before + (seesLinks ? links : NO_LINKS) + after);
    return { items, nextCursor: page.nextCursor };
  }

  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ShownBuild> {
    const found = await this.versions.readOne(ctx, scope, id);
    if (!found) throw AppError.notFound('build');
    const build = Object.assign(this.shown(found), { changes: found.changes });
    if (!found.details) return build;
    const devices = maySeeTesterData(ctx) ? await this.devices.udidsOf(ctx, build, found.details) : null;
    return { ...build, details: { ...found.details, devices } };
  }

  async ofNew(
    ctx: RequestContext,
    build: BuildWithDetails,
    { isPromoted }: { readonly isPromoted: boolean },
  ): Promise<ShownBuild> {
    const { identity } = ctx;
    if (isPromoted || identity.kind !== 'project-token') return this.get(ctx, build, build.id);
    const { details, uploadedBy } = build;
    const shown = details && { ...details, ...(!maySeeTesterData(ctx) && { devices: null }) };
    return { ...build, uploadedBy: { ...uploadedBy, label: identity.tokenName }, channels: [], details: shown };
  }

  channelsOf(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly BuildChannel[]>> {
    return this.versions.channelsOf(ctx, scope, ids);
  }

  /** When the build before a page is not cached, its builds rarely are, unless the page was requested before. */
  private async newest(
    ctx: RequestContext,
    scope: ProjectScope,
    { limit, cursor }: PageRequest,
  ): Promise<VersionsPage> {
    const list = buildsList(scope);
    const before = decodeCursor(cursor, list);
    const { fragments } = this;
    const isRead = before !== null && !fragments.has(before) && !fragments.isRepeated(`after ${before}`);
    const range = { before, count: limit + 1 };
    const find = isRead ? this.versions.readNewest(ctx, scope, range) : this.versions.newest(ctx, scope, range);
    return pageOf<BuildVersion | VersionedBuild>(await find, limit, list);
  }

  /** Builds of which none is cached are read together with their versions. */
  private async filtered(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<VersionsPage> {
    const { items: ids, nextCursor } = await this.lists.select(ctx, scope, filter, request);
    if (ids.length === 0) return { items: [], nextCursor };
    const isCached = ids.some((id) => this.fragments.has(id));
    const find = isCached ? this.versions.of(ctx, scope, ids) : this.versions.readOf(ctx, scope, ids);
    return { items: await find, nextCursor };
  }

  /** The fragments of a page. Reads the builds that are not cached in their present version, unless the page contains them already. */
  private async fragmentsOf(
    ctx: RequestContext,
    scope: ProjectScope,
    items: readonly (BuildVersion | VersionedBuild)[],
  ): Promise<BuildFragment[]> {
    const known = items.map((item) => {
      const cached = this.fragments.get(ctx, item.id, item.version);
      return cached ?? ('build' in item ? this.make(ctx, item) : undefined);
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

  private fragmentOf(found: VersionedBuild, now: Date): BuildFragment {
    const { version } = found;
    const shown = this.shown(found);
    // The nulls keep the places of the addresses, so that the fields have the order of the response for a single build.
    const response = Object.assign(toUploadersBuildResponse(shown), { install_url: null, qr_url: null });
    const json = bytesOfText(JSON.stringify(response));
    const at = json.indexOf(NO_LINKS);
    const { installUrl, qrUrl } = shown;
    const links = `"install_url":${JSON.stringify(installUrl)},"qr_url":${JSON.stringify(qrUrl)}`;
    const { from, until } = artifactValidity(shown.artifact, now);
    const pieces = [json.slice(0, at), bytesOfText(links), json.slice(at + NO_LINKS.length)] as const;
    return { version, from, until, pieces };
  }

  /** A build without details. No other code holds the build, so it is changed in place: copying its fields takes as long as writing its JSON. */
  private shown({ build, link, label, channels }: VersionedBuild): ShownBuild {
    return Object.assign(build, {
      uploadedBy: { ...build.uploadedBy, label },
      ...(link && build.deletedAt === null ? this.links.urlsOf(link) : NO_URLS),
      iconUrl: build.iconMediaType === null || build.deletedAt !== null ? null : this.icons.urlOf(build.id),
      channels,
      details: null,
      changes: null,
    });
  }
}

type VersionsPage = Page<BuildVersion | VersionedBuild>;

/** Whether a list shows all builds of its project. */
const isPlain = (filter: BuildFilter): boolean => Object.values(filter).every((value) => value === undefined);
