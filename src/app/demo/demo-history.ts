import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { Clock } from '#kernel/context/clock';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { type BuildDraft } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { ProjectsService, ProjectViews } from '#modules/projects';
import { ReleasesService } from '#modules/releases';
import { SubscriptionsService, TestersService } from '#modules/testers';
import { ProjectAccessTokensService } from '#modules/tokens';
import { UploadReceiver } from '#modules/uploads';
import { DemoActivityRepository, type DemoDownload } from './demo-activity.repository';
import { changesOf } from './demo-commits';
import { apkWith, ipaWith } from './demo-packages';
import { DEMO_PROJECTS, type DemoBuild, type DemoFile, type DemoProject, type DemoTester } from './demo-story';

const DAY_MS = 86_400_000;

/** A clock that is some days slow, so that services create rows and audit events of the past. */
class PastClock extends Clock {
  constructor(
    private readonly clock: Clock,
    private readonly days: number,
  ) {
    super();
  }

  now(): Date {
    return new Date(this.clock.now().getTime() - this.days * DAY_MS);
  }
}

/** The context of an action that happened some days ago; fractions are allowed. */
export const daysAgo = (ctx: RequestContext, days: number): RequestContext => ({
  ...ctx,
  clock: new PastClock(ctx.clock, days),
});

/** The addresses of the audit feed. They are reserved for documentation (RFC 5737). */
export const DEMO_ADDRESSES = { developer: '192.0.2.10', ci: '198.51.100.24' };

const ASSETS = join(__dirname, 'assets');
const FIRST_DAY = 13.5;
const TESTERS_SINCE = 13.4;

/** A build with what its downloads need. */
interface MadeBuild {
  readonly id: string;
  readonly platform: Platform;
  readonly build: DemoBuild;
}

interface MadeProject {
  readonly project: DemoProject;
  readonly scope: ProjectScope;
  /** The ids of the channels, by name. */
  readonly channels: ReadonlyMap<string, string>;
  readonly builds: readonly MadeBuild[];
}

/** The projects of the story, made in the order in which things happened. */
export class DemoHistory {
  private readonly activity: DemoActivityRepository;

  /** @param ctx with the identity of the demo's developer. */
  constructor(
    private readonly app: INestApplicationContext,
    private readonly ctx: RequestContext,
    private readonly organizationId: string,
  ) {
    this.activity = new DemoActivityRepository(app.get(Transactions));
  }

  /**
   * Makes the projects that do not exist. A project that a crash left incomplete stays as it is. Testers are made last, so that the
   * releases are announced to nobody: mails about the past would fill the terminal.
   */
  async make(): Promise<void> {
    const all = { summaries: false };
    const { items } = await this.app.get(ProjectViews).list(this.ctx, this.organizationId, all, { limit: 100 });
    const names = new Set(items.map(({ name }) => name));
    const made: MadeProject[] = [];
    for (const project of DEMO_PROJECTS) if (!names.has(project.name)) made.push(await this.makeProject(project));
    for (const project of made) {
      const testers = await this.makeTesters(project);
      await this.activity.insertDownloads(this.ctx, project.scope, this.downloadsOf(project, testers));
    }
  }

  private async makeProject(project: DemoProject): Promise<MadeProject> {
    const start = daysAgo(this.ctx, FIRST_DAY);
    const { organizationId } = this;
    const { id: projectId } = await this.app.get(ProjectsService).create(start, organizationId, { name: project.name });
    const scope = { organizationId, projectId };
    const channels = new Map<string, string>();
    for (const name of project.channels)
      channels.set(name, (await this.app.get(ChannelsService).create(start, scope, name)).id);
    const tokens = this.app.get(ProjectAccessTokensService);
    const { token } = await tokens.create(start, scope, { name: 'CI', role: 'MANAGE_RELEASES', expiresAt: null });
    const builds: MadeBuild[] = [];
    for (const build of project.builds) {
      const ctx = daysAgo(this.ctx, build.daysAgo);
      const identity = (await tokens.resolve(ctx, token)) ?? ctx.identity;
      const ci = { ...ctx, identity, sourceIp: DEMO_ADDRESSES.ci };
      const changes = changesOf(build, project.builds);
      builds.push(await this.makeBuild(ci, scope, { build, changes }, channels));
    }
    await this.activity.nameApps(this.ctx, scope, project.name);
    return { project, scope, channels, builds };
  }

  /** Uploads a build as CI, and promotes it to its channels an hour later. */
  private async makeBuild(
    ci: RequestContext,
    scope: ProjectScope,
    { build, changes }: { readonly build: DemoBuild; readonly changes: BuildDraft },
    channels: ReadonlyMap<string, string>,
  ): Promise<MadeBuild> {
    const { version, number: buildNumber, branch, notes } = build;
    const file = await artifactOf(build.file, `${version} ${buildNumber}`);
    const draft = { ...changes, version, buildNumber, branch, notes, platform: platformOf(build.file) };
    const { id, platform } = await this.app.get(UploadReceiver).createBuild(ci, scope, file, draft);
    for (const name of build.channels ?? []) {
      const channel = { ...scope, channelId: channels.get(name) ?? '' };
      const promotion = { buildId: id, notes };
      await this.app.get(ReleasesService).promote(daysAgo(this.ctx, build.daysAgo - 1 / 24), channel, promotion);
    }
    return { id, platform, build };
  }

  /** Returns the testers by id. */
  private async makeTesters({ project, scope, channels }: MadeProject): Promise<ReadonlyMap<string, DemoTester>> {
    const made = new Map<string, DemoTester>();
    for (const tester of project.testers) made.set(await this.makeTester(scope, tester, channels), tester);
    return made;
  }

  private async makeTester(
    scope: ProjectScope,
    { email, name, state, ...tester }: DemoTester,
    channels: ReadonlyMap<string, string>,
  ): Promise<string> {
    const then = daysAgo(this.ctx, TESTERS_SINCE);
    const { id } = await this.app.get(TestersService).create(then, scope, { email, name });
    const subscriptions = this.app.get(SubscriptionsService);
    for (const channel of tester.channels) await subscriptions.put(then, scope, id, channels.get(channel) ?? '');
    if (state === 'added') return id;
    const openedAt = state === 'invited' ? null : daysAgo(this.ctx, TESTERS_SINCE - 0.5).clock.now();
    await this.activity.setReach(this.ctx, id, then.clock.now(), openedAt);
    if (state === 'left') {
      const left = daysAgo(this.ctx, 3);
      await this.app.get(Transactions).run(left, (tx) => subscriptions.unsubscribe(tx, scope, id, null));
    }
    return id;
  }

  /** Every tester installs each build of their platform, some hours after its promotion, up to the build that they have. */
  private downloadsOf(
    { builds, channels }: MadeProject,
    testers: ReadonlyMap<string, DemoTester>,
  ): readonly DemoDownload[] {
    return [...testers].flatMap(
      (
        [
          testerId,
          {
            device,
            has,
            channels: [channel = ''],
          },
        ],
        index,
      ) =>
        builds
          .filter(({ platform, build }) => platform === PLATFORM_OF[device] && has !== undefined && build.number <= has)
          .filter(({ build }) => (build.channels ?? []).includes(channel))
          .map(({ id, build }) => ({
            buildId: id,
            testerId,
            channelId: channels.get(channel) ?? null,
            device,
            startedAt: daysAgo(this.ctx, Math.max(0.02, build.daysAgo - 0.1 - index * 0.17)).clock.now(),
          })),
    );
  }
}

const PLATFORM_OF: Readonly<Record<DemoTester['device'], Platform>> = {
  iphone: 'ios',
  ipad: 'ios',
  android: 'android',
  mac: 'macos',
  windows: 'windows',
  linux: 'linux',
};

/** Null for packages, which contain their platform. */
function platformOf(file: DemoFile): Platform | undefined {
  if (file.endsWith('.dmg')) return 'macos';
  if (file.endsWith('.msi')) return 'windows';
  return file.endsWith('.AppImage') ? 'linux' : undefined;
}

/** @param content differs for each build, so that no build has the file of another one. */
async function artifactOf(file: DemoFile, content: string): Promise<{ fileName: string; bytes: Buffer }> {
  const asset = (name: string): Promise<Buffer> => readFile(join(ASSETS, name));
  if (file === 'ios') return { fileName: 'Rocket.ipa', bytes: ipaWith(content, await asset('demo.ipa')) };
  if (file === 'android') return { fileName: 'Rocket.apk', bytes: apkWith(content, await asset('demo-1.0.apk')) };
  return { fileName: file, bytes: Buffer.alloc(200_000, `${file} ${content}\n`) };
}
