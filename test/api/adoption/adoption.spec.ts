import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { newId } from '#kernel/ids';
import { type BuildJson, type ChannelJson, type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

const STEPS = ['has_it', 'has_newer', 'downloaded', 'bounced', 'opened', 'mailed', 'not_mailed'] as const;
type Step = (typeof STEPS)[number];

type AdoptionJson = Readonly<Record<Step | 'testers', number>>;

interface ReleaseAdoptionJson extends AdoptionJson {
  readonly channel: { readonly id: string; readonly name: string };
  readonly platform: string;
  readonly release_id: string;
  readonly build_id: string;
  readonly other_platforms: number;
}

interface PageJson {
  readonly items: { readonly id: string; readonly email: string }[];
  readonly next_cursor: string | null;
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';

/** The past of a tester. Indices are those of builds and channels of the test. */
interface Past {
  readonly channels: readonly number[];
  readonly mailPlatforms: readonly string[];
  readonly bounced: boolean;
  /** Builds, in the order of the downloads. */
  readonly downloads: readonly number[];
  /** Hours after the promotion. */
  readonly openedAt: number | null;
  readonly invitation: { readonly build: number; readonly at: number } | null;
  /** The last invitation to the channels that the tester is subscribed to. */
  readonly invitedAt: number | null;
  /** Channels whose current releases the tester was mailed about. */
  readonly mailedOf: readonly number[];
}

const PLATFORMS = ['ios', 'ios', 'ios', 'android', 'android'];
/** Versions on iOS, version codes on Android. */
const VERSIONS = ['1.10', '1.9', '1.9.1', '30', '20'];
/** The place of each build among those of its platform. */
const RANKS = [2, 0, 1, 1, 0];
/** The builds that are current in each channel. */
const CURRENT = [[1, 4], [2]];

const pasts = fc.array(
  fc.record<Past>({
    channels: fc.subarray([0, 1]),
    mailPlatforms: fc.constantFrom([], [], ['ios'], ['android'], ['macos']),
    bounced: fc.constantFrom(false, false, true),
    downloads: fc.array(fc.nat(4), { maxLength: 3 }),
    openedAt: fc.constantFrom(null, -2, 2),
    invitation: fc.option(fc.record({ build: fc.nat(4), at: fc.constantFrom(-3, 1) })),
    invitedAt: fc.constantFrom(null, null, -1, 1),
    mailedOf: fc.subarray([0, 1]),
  }),
  { minLength: 12, maxLength: 25 },
);

/** What the documentation says, about one tester. */
const uses = ({ downloads }: Past, platform: string): boolean =>
  downloads.length === 0 || downloads.some((build) => PLATFORMS[build] === platform);
const isConcerned = (past: Past, build: number): boolean =>
  (past.mailPlatforms.length === 0 || past.mailPlatforms.includes(PLATFORMS[build]!)) && uses(past, PLATFORMS[build]!);
const newest = ({ downloads }: Past, platform: string): number | undefined =>
  downloads.filter((build) => PLATFORMS[build] === platform).at(-1);

function stepOf(past: Past, build: number, channels: readonly number[]): Step {
  const has = newest(past, PLATFORMS[build]!);
  if (has === build) return 'has_it';
  if (has !== undefined && RANKS[has]! > RANKS[build]!) return 'has_newer';
  if (past.downloads.includes(build)) return 'downloaded';
  if (past.bounced) return 'bounced';
  const invited = past.invitation?.build === build ? past.invitation.at : null;
  const isMailed = past.mailedOf.some((channel) => channels.includes(channel) && CURRENT[channel]!.includes(build));
  const isPromoted = channels.some((channel) => past.channels.includes(channel) && CURRENT[channel]!.includes(build));
  const times = [invited, isMailed ? 0 : null, isPromoted && isConcerned(past, build) ? 0 : null];
  const since = Math.min(...times.map((time) => time ?? Infinity));
  if (past.openedAt !== null && past.openedAt >= since) return 'opened';
  const isInvited = isPromoted && isConcerned(past, build) && past.invitedAt !== null && past.invitedAt >= 0;
  return invited !== null || isMailed || isInvited ? 'mailed' : 'not_mailed';
}

const lacks = (past: Past, build: number): boolean => !['has_it', 'has_newer'].includes(stepOf(past, build, []));

interface RemindersJson {
  readonly queued: number;
  readonly skipped: readonly { readonly tester_id: string }[];
}

describe('adoption', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const adoptionOf = async (project = tenant.project): Promise<ReleaseAdoptionJson[]> => {
    const path = `/projects/${project.id}/adoption?organization_id=${project.organizationId}`;
    return ((await ann.get(path).expect(200)).body as { items: ReleaseAdoptionJson[] }).items;
  };
  const ofChannel = async ({ id }: { id: string }): Promise<ReleaseAdoptionJson> =>
    (await adoptionOf()).find(({ channel }) => channel.id === id)!;
  const ids = async (more: string, of = query): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/testers?${of}&limit=4${more}${cursor && `&cursor=${cursor}`}`;
      const page: PageJson = (await ann.get(path).expect(200)).body as PageJson;
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return found.sort();
  };
  const adds = async (channel?: ChannelJson): Promise<{ id: string; email: string }> => {
    const { body } = await ann.post(`/testers?${query}`, { email: randomEmail(), name: 'Tess' }).expect(201);
    const tester = body as { id: string; email: string };
    if (channel) await ann.request('put', `/testers/${tester.id}/subscriptions/${channel.id}?${query}`).expect(200);
    return tester;
  };
  let builds = 100;
  const uploads = (platform: string = 'ios', project = tenant.project, version?: string): Promise<BuildJson> => {
    builds += 1;
    const file =
      platform === 'ios'
        ? { bytes: ipa({ info: { CFBundleVersion: String(builds), ...(version && { CFBundleShortVersionString: version }) } }), fileName: 'Demo.ipa' } // prettier-ignore
        : { bytes: apk({ versionCode: Number(version ?? builds) }), fileName: 'demo.apk' };
    return ann.uploads(project, file);
  };
  const installs = async (token: string, { id }: { id: string }): Promise<void> => {
    const headers = { 'User-Agent': IPHONE };
    const page = `${app.url}/install/${token}/builds/${id}`;
    const manifest = await (await fetch(`${page}/manifest.plist`, { headers })).text();
    const path = new URL(/<string>(http[^<]*\.ipa)<\/string>/.exec(manifest)![1]!).pathname;
    await (await fetch(app.url + path, { headers })).arrayBuffer();
  };
  const tokenOf = async (email: string): Promise<string> => (await app.mailbox.link(email)).pathname.split('/').at(-1)!;

  // red when: a fact of a step is not read, or a step is checked in another order
  it('moves a tester from one step to the next', async () => {
    const channel = await ann.createsChannel(tenant.project);
    const first = await uploads();
    await ann.promotes(tenant.project, channel, first);
    const tess = await adds(channel);
    const none = {
      testers: 1,
      has_it: 0,
      has_newer: 0,
      downloaded: 0,
      bounced: 0,
      opened: 0,
      mailed: 0,
      not_mailed: 0,
    };
    const expects = async (step: Step, build: BuildJson): Promise<string> => {
      const found = await ofChannel(channel);
      expect(found).toMatchObject({
        ...none,
        [step]: 1,
        other_platforms: 0,
        build_id: build.id,
        version: build.version,
        installable: true,
        platform: 'ios',
        reminded_at: null,
        channel: { id: channel.id, name: channel.name },
      });
      expect(await ids(`&release_id=${found.release_id}&adoption=${step}`)).toEqual([tess.id]);
      const { body } = await ann.get(`/builds/${build.id}/adoption?${query}`).expect(200);
      expect(body).toMatchObject({ build_id: build.id, ...none, [step]: 1, releases: [found] });
      return found.release_id;
    };
    await expects('not_mailed', first);
    await app.mailsReleases();
    await expects('mailed', first);
    const token = await tokenOf(tess.email);
    await app.anonymous.get(`/install/${token}`).set('Accept', 'text/html').expect(200);
    await expects('opened', first);
    await installs(token, first);
    const release = await expects('has_it', first);
    expect(await ids(`&release_id=${release}&adoption=has_not`)).toEqual([]);
    expect(await ids('&has_not=current')).not.toContain(tess.id);
    const next = await uploads();
    await ann.promotes(tenant.project, channel, next);
    await expects('not_mailed', next);
    expect(await ids('&has_not=current')).toContain(tess.id);
    await installs(token, next);
    await expects('has_it', next);
    await ann.promotes(tenant.project, channel, first);
    await expects('has_newer', first);
    expect(await ids('&has_not=current')).not.toContain(tess.id);
    await ann.promotes(tenant.project, channel, next);
    await app.sql(
      `INSERT INTO build_download SELECT new.* FROM build_download d,
         LATERAL jsonb_populate_record(d, jsonb_build_object('id', $1::uuid, 'ticket_id', gen_random_uuid())) AS new
       WHERE d.tester_id = $2 AND d.build_id = $3`,
      [newId(), tess.id, first.id],
    );
    await expects('downloaded', next);
    expect(await ids('&has_not=current')).toContain(tess.id);
  });

  // red when: the link of an invitation is not counted, that before the promotion is, or that to another channel
  it('counts an invitation to the channel since the promotion as a mail', async () => {
    const [channel, other] = [await ann.createsChannel(tenant.project), await ann.createsChannel(tenant.project)];
    const [tess, bob, eve] = [await adds(channel), await adds(channel), await adds(channel)];
    for (const { id } of [tess, bob, eve])
      await ann.request('put', `/testers/${id}/subscriptions/${other.id}?${query}`).expect(200);
    await ann.post(`/testers/${eve.id}/invite?${query}&channel_id=${channel.id}`).expect(204);
    await app.clock.advance({ seconds: 1 });
    const body = { build_id: (await uploads()).id, notify: false };
    await ann.post(`/releases?${query}&channel_id=${channel.id}`, body).expect(201);
    expect(await ofChannel(channel)).toMatchObject({ mailed: 0, not_mailed: 3 });
    await ann.post(`/testers/${eve.id}/invite?${query}&channel_id=${other.id}`).expect(204);
    await ann.post(`/testers/${eve.id}/invite?${query}`, { build_id: tenant.build.id }).expect(204);
    await ann.post(`/testers/${tess.id}/invite?${query}&channel_id=${channel.id}`).expect(204);
    await ann.post(`/testers/${bob.id}/invite?${query}`).expect(204);
    const { release_id: release, build_id: build } = await ofChannel(channel);
    expect(await ofChannel(channel)).toMatchObject({ mailed: 2, not_mailed: 1 });
    for (const subject of [`release_id=${release}`, `build_id=${build}`]) {
      expect(await ids(`&${subject}&adoption=mailed`)).toEqual([tess.id, bob.id].sort());
      const { text } = await ann.get(`/testers/export?${query}&${subject}&adoption=mailed`).expect(200);
      const [header, ...lines] = text.trim().split('\r\n');
      expect(header).toMatch(/,mailed_at$/);
      for (const line of lines) expect(line).toMatch(/,mailed,[^,]+Z$/);
    }
  });

  it('is empty for a project without releases, and zero for a build that nobody was told about', async () => {
    const project = await ann.createsProject(tenant.organization);
    expect(await adoptionOf(project)).toEqual([]);
    const build = await uploads('ios', project);
    const { body } = await ann.get(`/builds/${build.id}/adoption?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ build_id: build.id, testers: 0, not_mailed: 0, releases: [] });
    await ann.get(`/builds/${randomUUID()}/adoption?${scope(project)}`).expect(404);
  });

  // red when: an address of another project counts, or the release of another tenant is accepted
  it('is of one project only', async () => {
    const other = await createTenant(app);
    const theirs = (await ann.get(`/testers?${query}&release_id=${other.release.id}&adoption=has_not`)).status;
    const theirBuild = (await ann.get(`/testers?${query}&build_id=${other.build.id}&adoption=mailed`)).status;
    expect([theirs, theirBuild]).toEqual([404, 404]);
    await ann.get(`/builds/${other.build.id}/adoption?${query}`).expect(404);
    await ann.get(`/projects/${other.project.id}/adoption?organization_id=${other.organization.id}`).expect(403);
    const mine = (await adoptionOf()).map(({ release_id: id }) => id);
    expect(mine).not.toContain(other.release.id);
    const csv = `/testers/export?${query}&release_id=${other.release.id}&adoption=has_not`;
    await ann.get(csv).expect(404);
  });

  it('rejects a step without exactly one object', async () => {
    const [release, build] = [`release_id=${tenant.release.id}`, `build_id=${tenant.build.id}`];
    for (const more of [
      'adoption=has_not',
      `adoption=mailed&${release}&${build}`,
      `adoption=here&${build}`,
      'has_not=x',
    ])
      expect((await ann.get(`/testers?${query}&${more}`).expect(400)).body).toMatchObject({
        error: 'validation_error',
      });
  });

  // red when: the filters reveal to a viewer what testers did
  it('shows numbers to viewers, but lists the testers of a step to MANAGE_TESTERS only', async () => {
    const viewer = app.ci(await ann.createsToken(tenant.project, 'VIEW_PROJECT'));
    const path = `/projects/${tenant.project.id}/adoption?organization_id=${tenant.organization.id}`;
    expect((await viewer.get(path).expect(200)).body).toEqual({ items: await adoptionOf() });
    await viewer.get(`/builds/${tenant.build.id}/adoption?${query}`).expect(200);
    for (const filter of [`release_id=${tenant.release.id}&adoption=mailed`, 'has_not=current'])
      expect((await viewer.get(`/testers?${query}&${filter}`).expect(403)).body).toMatchObject({
        error: 'insufficient_role',
        details: { required_role: 'MANAGE_TESTERS' },
      });
  });

  // red when: the file ignores the filter, a column is in another place, or the import stumbles over the columns
  it('is in the CSV file, with the filters of the list', async () => {
    const channel = await ann.createsChannel(tenant.project, `=Beta ${randomUUID()}`);
    const build = await uploads();
    const { id: release } = await ann.promotes(tenant.project, channel, build);
    const [tess, bob] = [await adds(channel), await adds(channel)];
    await app.mailsReleases();
    await installs(await tokenOf(bob.email), build);
    const file = async (more: string): Promise<string[][]> => {
      const { text } = await ann.get(`/testers/export?${query}${more}`).expect(200);
      return text
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
    };
    const [header, ...lines] = await file(`&release_id=${release}&adoption=mailed`);
    const [line] = lines;
    const cells = Object.fromEntries(header!.map((column, index) => [column, line![index]]));
    const time = expect.stringMatching(/Z$/) as string;
    expect(lines).toHaveLength(1);
    expect(cells).toEqual({
      email: tess.email,
      name: 'Tess',
      id: tess.id,
      created_at: time,
      bounced_at: '',
      bounce_code: '',
      state: 'invited',
      channels: `'${channel.name}`,
      last_version: '',
      last_build_number: '',
      last_platform: '',
      last_download_at: '',
      invited_at: time,
      opened_at: '',
      has_current: 'false',
      adoption: 'mailed',
      mailed_at: time,
    });
    const ofChannel = (await file(`&channel_id=${channel.id}&build_id=${build.id}`)).slice(1);
    expect(ofChannel.map(([email, ...cells]) => [email, cells[5], cells[7], ...cells.slice(-3, -1)])).toEqual([
      [bob.email, 'has_current', build.version, 'true', 'has_it'],
      [tess.email, 'invited', '', 'false', 'mailed'],
    ]);
    expect((await file('&has_not=current')).map(([email]) => email)).not.toContain(bob.email);
    const csv = (await ann.get(`/testers/export?${query}`).expect(200)).text;
    const imported = ann.request('post', `/testers/import?${query}`).set('Content-Type', 'text/csv').send(csv);
    expect((await imported.expect(200)).body).toMatchObject({ created: 0 });
  });

  // red when: a range of the testers is left out or counted twice, or a search reads all testers of a project
  it('counts 20,100 testers, and searches them page by page', async () => {
    const project = await ann.createsProject(tenant.organization);
    const channel = await ann.createsChannel(project);
    const build = await uploads('ios', project);
    const { id: release } = await ann.promotes(project, channel, build);
    const own = [project.organizationId, project.id];
    await app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, n || '@example.com', n || '@example.com', '{}', now() FROM generate_series(1, 20100) AS n`,
      own,
    );
    await app.sql(
      `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT organization_id, project_id, $2, id, now() FROM tester WHERE project_id = $1`,
      [project.id, channel.id],
    );
    const downloads = `INSERT INTO build_download (id, organization_id, project_id, tester_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
       SELECT gen_random_uuid(), organization_id, project_id, id, $2, gen_random_uuid(), 'invite', 'iphone', now() FROM tester WHERE project_id = $1`;
    await app.sql(`${downloads} AND email LIKE '7%'`, [project.id, build.id]);
    const has = 1111;
    const numbers = { testers: 20_100, has_it: has, not_mailed: 20_100 - has };
    expect(await adoptionOf(project)).toMatchObject([numbers]);
    const { body } = await ann.get(`/builds/${build.id}/adoption?${scope(project)}`).expect(200);
    expect(body).toMatchObject(numbers);
    await app.sql(`${downloads} AND email NOT LIKE '7%'`, [project.id, build.id]);
    expect(await adoptionOf(project)).toMatchObject([numbers]);
    await app.clock.advance({ seconds: 300 });
    expect(await adoptionOf(project)).toMatchObject([{ testers: 20_100, has_it: 20_100, not_mailed: 0 }]);
    const searches = [
      ['has_not=current', 3],
      [`release_id=${release}&adoption=has_not`, 9],
    ] as const;
    for (const [filter, requests] of searches) {
      const pages: PageJson[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next_cursor) {
        const path = `/testers?${scope(project)}&${filter}${cursor && `&cursor=${cursor}`}`;
        pages.push((await ann.get(path).expect(200)).body as PageJson);
      }
      expect(pages.map(({ items }) => items.length)).toEqual(Array(requests).fill(0));
    }
  });

  describe('of random testers', () => {
    let project: Tenant['project'];
    let channels: ChannelJson[];
    let built: BuildJson[];
    let releases: ReleaseAdoptionJson[];

    beforeAll(async () => {
      project = await ann.createsProject(tenant.organization);
      channels = [await ann.createsChannel(project, 'A'), await ann.createsChannel(project, 'B')];
      built = [];
      for (const [index, platform] of PLATFORMS.entries()) built.push(await uploads(platform, project, VERSIONS[index])); // prettier-ignore
      for (const [index, channel] of channels.entries())
        for (const build of CURRENT[index]!) await ann.promotes(project, channel, built[build]!);
      releases = await adoptionOf(project);
    });

    const hours = (count: number): Date => new Date(promotedAt + count * 3_600_000);
    let promotedAt: number;

    const lives = async (past: Past): Promise<string> => {
      const id = newId();
      const own = [project.organizationId, project.id, id];
      const email = randomEmail();
      await app.sql(
        `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, mail_platforms, bounced_at, bounce_code, created_at)
         VALUES ($3, $1, $2, $4, $4, '{}', $5, $6, $7, now())`,
        [...own, email, past.mailPlatforms, past.bounced ? hours(0) : null, past.bounced ? '5.1.1' : null],
      );
      for (const channel of past.channels)
        await app.sql(
          `INSERT INTO subscription (organization_id, project_id, tester_id, channel_id, created_at) VALUES ($1, $2, $3, $4, now())`,
          [...own, channels[channel]!.id],
        );
      if (past.invitedAt !== null)
        await app.sql('UPDATE subscription SET invited_at = $2 WHERE tester_id = $1', [id, hours(past.invitedAt)]);
      for (const build of past.downloads)
        await app.sql(
          `INSERT INTO build_download (id, organization_id, project_id, tester_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
           VALUES ($4, $1, $2, $3, $5, gen_random_uuid(), 'invite', 'iphone', now())`,
          [...own, newId(), built[build]!.id],
        );
      const links = [
        ...(past.openedAt === null ? [] : [{ build: null, at: -4, opened: past.openedAt }]),
        ...(past.invitation ? [{ ...past.invitation, opened: null }] : []),
      ];
      for (const { build, at, opened } of links)
        await app.sql(
          `INSERT INTO invite (id, organization_id, project_id, tester_id, build_id, digest, created_at, last_opened_at)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, sha256(gen_random_uuid()::text::bytea), $5, $6)`,
          [...own, build === null ? null : built[build]!.id, hours(at), opened === null ? null : hours(opened)],
        );
      for (const { channel, release_id } of releases)
        if (past.mailedOf.some((index) => channels[index]!.id === channel.id))
          await app.sql(
            `INSERT INTO release_mail (organization_id, project_id, tester_id, release_id, queued_at) VALUES ($1, $2, $3, $4, $5)`,
            [...own, release_id, hours(0.5)],
          );
      return id;
    };

    /** The sorted ids of the testers in each step. */
    const grouped = (testers: readonly (readonly [string, Step])[]): Record<Step, string[]> =>
      Object.fromEntries(
        STEPS.map((step) => [step, testers.filter(([, has]) => has === step).map(([id]) => id).sort()]), // prettier-ignore
      ) as Record<Step, string[]>;

    const expectCounts = async (
      counts: AdoptionJson,
      subject: string,
      testers: readonly (readonly [string, Step])[],
    ): Promise<void> => {
      const expected = grouped(testers);
      const of = scope(project);
      for (const step of STEPS) {
        expect([subject, step, counts[step]]).toEqual([subject, step, expected[step].length]);
        expect([step, await ids(`&${subject}&adoption=${step}`, of)]).toEqual([step, expected[step]]);
      }
      expect(STEPS.reduce((sum, step) => sum + counts[step], 0)).toBe(counts.testers);
      const has = new Set([...expected.has_it, ...expected.has_newer]);
      const lacking = testers.map(([id]) => id).filter((id) => !has.has(id));
      expect(await ids(`&${subject}&adoption=has_not`, of)).toEqual(lacking.sort());
    };

    // red when: numbers, filters, file and reminders disagree, a tester is in two steps, or a rule of the audience is left out
    it('adds up, and each filter lists exactly the counted testers', async () => {
      promotedAt = Date.parse(
        (await app.sql<{ at: string }>('SELECT min(promoted_at)::text AS at FROM release WHERE project_id = $1', [project.id]))[0]!.at, // prettier-ignore
      );
      await app.sql(`UPDATE release SET promoted_at = $2 WHERE project_id = $1`, [project.id, hours(0)]);
      await fc.assert(
        fc.asyncProperty(pasts, async (world) => {
          await app.sql('DELETE FROM build_download WHERE project_id = $1', [project.id]);
          await app.sql('DELETE FROM tester WHERE project_id = $1', [project.id]);
          const testers: [string, Past][] = [];
          for (const past of world) testers.push([await lives(past), past]);
          for (const counts of await adoptionOf(project)) {
            const channel = channels.findIndex(({ id }) => id === counts.channel.id);
            const build = built.findIndex(({ id }) => id === counts.build_id);
            const subscribers = testers.filter(([, { channels: of }]) => of.includes(channel));
            const audience = subscribers.filter(([, past]) => isConcerned(past, build));
            const steps = audience.map(([id, past]) => [id, stepOf(past, build, [channel])] as const);
            await expectCounts(counts, `release_id=${counts.release_id}`, steps);
            expect(counts.other_platforms).toBe(subscribers.length - audience.length);
          }
          for (const [index, { id }] of built.entries()) {
            const of = CURRENT.flatMap((current, channel) => (current.includes(index) ? [channel] : []));
            const audience = testers.filter(
              ([, past]) =>
                past.downloads.includes(index) ||
                past.invitation?.build === index ||
                (isConcerned(past, index) && of.some((channel) => past.channels.includes(channel))),
            );
            const steps = audience.map(([tester, past]) => [tester, stepOf(past, index, of)] as const);
            const counts = (await ann.get(`/builds/${id}/adoption?${scope(project)}`).expect(200)).body as AdoptionJson;
            await expectCounts(counts, `build_id=${id}`, steps);
          }
          const currentOf = ({ channels: of, ...past }: Past) =>
            of.flatMap((channel) => CURRENT[channel]!).filter((build) => isConcerned({ channels: of, ...past }, build));
          const lacking = testers.filter(([, past]) => currentOf(past).some((build) => lacks(past, build)));
          const lackingIds = lacking.map(([id]) => id).sort();
          expect(await ids('&has_not=current', scope(project))).toEqual(lackingIds);
          const { text } = await ann.get(`/testers/export?${scope(project)}`).expect(200);
          const rows = text.trim().split('\r\n').map((line) => line.split(',')); // prettier-ignore
          const columns = ['id', 'state', 'has_current'].map((name) => rows[0]!.indexOf(name));
          for (const [id, state, hasCurrent] of rows.slice(1).map((row) => columns.map((column) => row[column]))) {
            const [, past] = testers.find(([tester]) => tester === id)!;
            const concerned = currentOf(past).length > 0;
            expect([id, hasCurrent]).toEqual([id, concerned ? String(!lackingIds.includes(id!)) : '']);
            if (state === 'behind') expect(lackingIds).toContain(id);
            if (state === 'has_current' && new Set(past.downloads.map((build) => PLATFORMS[build])).size === 1)
              expect([id, hasCurrent]).not.toEqual([id, 'false']);
          }
          for (const { release_id: release } of releases) {
            const named = await ids(`&release_id=${release}&adoption=has_not`, scope(project));
            const path = `/releases/${release}/reminders?${scope(project)}`;
            const { queued, skipped } = (await ann.post(path, {}).expect(202)).body as RemindersJson;
            const bounced = testers.filter(([id, past]) => named.includes(id) && past.bounced).map(([id]) => id);
            expect(skipped.map(({ tester_id: id }) => id).sort()).toEqual(bounced.sort());
            expect(queued).toBe(named.length - bounced.length);
          }
        }),
        { numRuns: 5, seed: 35 },
      );
    });
  });
});
