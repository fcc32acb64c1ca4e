import { randomBytes } from 'node:crypto';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BuildDeletionService, DeletableBuilds, type RetentionRule } from '#modules/builds';
import { BuildsRepository } from '../../../src/modules/builds/catalogue/builds.repository';
import { TrashRepository } from '../../../src/modules/builds/catalogue/deletion/trash.repository';
import { Developer, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { isWaitingForLock } from '../../support/app/lock-waiters';
import { TestApp } from '../../support/app/test-app';
import { until } from '../../support/until';

jest.setTimeout(600_000);

const SETS = Number(process.env['RETENTION_SETS'] ?? 100);
const RACES = Number(process.env['RETENTION_RACES'] ?? 50);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCHEDULE = 'builds.apply-retention';
const PLATFORMS = ['ios', 'android'] as const;
const BRANCHES = [null, 'main', 'feature/a', 'feature/b', 'pr-1'] as const;
const PATTERNS = [undefined, ['main'], ['feature/*'], ['pr-*', 'main'], ['**']] as const;

/** A generator of numbers that a seed repeats (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Made {
  readonly id: string;
  readonly platform: string;
  readonly branch: string | null;
  readonly ageMs: number;
  readonly pinned: boolean;
  readonly isCurrent: boolean;
  readonly wasDownloaded: boolean;
}

interface Project {
  readonly projectId: string;
  readonly builds: readonly Made[];
  readonly rules: readonly RetentionRule[];
}

/** A version 7 UUID of a time. */
const idAt = (time: number): string => {
  const hex =
    time.toString(16).padStart(12, '0') +
    '7' +
    randomBytes(10).toString('hex').slice(1, 4) +
    'a' +
    randomBytes(8).toString('hex').slice(1);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
};

/** Written from the documentation, independently of the query. */
function expectedOf({ builds, rules }: Project): string[] {
  const newestFirst = [...builds].sort((a, b) => (a.id < b.id ? 1 : -1));
  const isAbout = ({ branches }: RetentionRule, { branch }: Made): boolean =>
    !branches ||
    (branch !== null &&
      branches.some((pattern) =>
        new RegExp(`^${pattern.replaceAll('**', '\u0000').replaceAll('*', '[^/]*').replaceAll('\u0000', '.*')}$`).test(
          branch,
        ),
      ));
  const letsGo = (rule: RetentionRule, build: Made): boolean => {
    const group = newestFirst.filter(
      (other) =>
        isAbout(rule, other) &&
        (rule.per === 'project' ||
          (rule.per === 'platform' ? other.platform === build.platform : other.branch === build.branch)),
    );
    const isLast = rule.keepLast !== undefined && group.indexOf(build) < rule.keepLast;
    const isYoung = rule.keepDays !== undefined && build.ageMs <= rule.keepDays * DAY_MS;
    return !isLast && !isYoung;
  };
  return builds
    .filter((build) => {
      const about = rules.filter((rule) => isAbout(rule, build));
      const isNewest = newestFirst.find(({ platform }) => platform === build.platform) === build;
      const isProtected =
        build.pinned || build.isCurrent || build.wasDownloaded || isNewest || build.ageMs < 24 * HOUR_MS;
      return about.length > 0 && about.every((rule) => letsGo(rule, build)) && !isProtected;
    })
    .map(({ id }) => id)
    .sort();
}

describe('retention', () => {
  let app: TestApp;
  let tenant: Tenant;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const copy = (table: string, id: string, changes: Readonly<Record<string, unknown>>) =>
    app.sql(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || $2::jsonb)).* FROM ${table} t WHERE t.id = $1`,
      [id, JSON.stringify(changes)],
    );

  async function makes(seed: number, now: number): Promise<Project> {
    const random = randomOf(seed);
    const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
    const projectId = idAt(now);
    await copy('project', tenant.project.id, { id: projectId, name: `Set ${seed}` });
    const builds: Made[] = [];
    const currentOf = new Set<string>();
    const channelId = idAt(now);
    await copy('channel', tenant.channel.id, { id: channelId, project_id: projectId, name: 'Beta' });
    for (let n = random(14); n >= 0; n -= 1) {
      // Not at the limits themselves, because time passes during the test.
      const ageMs =
        pick([1, 5, 20, 30, 24 * 3, 24 * 10, 24 * 20, 24 * 40, 24 * 90]) * HOUR_MS + (random(50) + 5) * 60_000;
      const platform = pick(PLATFORMS);
      const build: Made = {
        id: idAt(now - ageMs),
        platform,
        branch: pick(BRANCHES),
        ageMs,
        pinned: random(8) === 0,
        isCurrent: random(6) === 0 && !currentOf.has(platform),
        wasDownloaded: random(6) === 0,
      };
      builds.push(build);
      await copy('build', tenant.build.id, {
        id: build.id,
        project_id: projectId,
        platform,
        branch: build.branch,
        pinned: build.pinned,
        uploaded_at: new Date(now - ageMs).toISOString(),
        blob_key: build.id,
      });
      if (build.isCurrent || random(5) === 0) {
        const releaseId = idAt(now);
        await copy('release', tenant.release.id, {
          id: releaseId,
          project_id: projectId,
          channel_id: channelId,
          build_id: build.id,
          platform,
          sequence: build.isCurrent ? 1_000 + n : n + 1,
        });
        if (build.isCurrent) {
          currentOf.add(platform);
          await app.sql('INSERT INTO current_release (channel_id, platform, release_id) VALUES ($1, $2, $3)', [
            channelId,
            platform,
            releaseId,
          ]);
        }
      }
      const downloadedMs = build.wasDownloaded ? random(13) * DAY_MS : 15 * DAY_MS;
      await app.sql(
        `INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
         VALUES ($1, $2, $3, $4, $1, 'anonymous', 'other', $5)`,
        [idAt(now), tenant.organization.id, projectId, build.id, new Date(now - downloadedMs).toISOString()],
      );
    }
    const rules = Array.from({ length: random(4) }, (): RetentionRule => {
      const keepLast = random(3) > 0 ? random(4) + 1 : undefined;
      const keepDays = keepLast === undefined || random(2) > 0 ? pick([1, 7, 30]) : undefined;
      const branches = pick(PATTERNS);
      return {
        ...(keepLast !== undefined && { keepLast }),
        ...(keepDays !== undefined && { keepDays }),
        per: pick(['project', 'platform', 'branch']),
        ...(branches && { branches: [...branches] }),
      };
    });
    await app.sql(
      `INSERT INTO retention (organization_id, project_id, enabled, rules, updated_at) VALUES ($1, $2, true, $3, now())`,
      [tenant.organization.id, projectId, JSON.stringify(rules)],
    );
    return { projectId, builds, rules };
  }

  const run = (): Promise<void> => app.nest.get(OrganizationSchedules).runAll(app.systemContext, SCHEDULE);
  const idsWhere = async (projectId: string, condition: string): Promise<string[]> => {
    const found = await app.sql<{ id: string }>(`SELECT id FROM build WHERE project_id = $1 AND ${condition}`, [
      projectId,
    ]);
    return found.map(({ id }) => id).sort();
  };

  // red when: the preview, the announcement and the deletion do not ask the same query, or a protection is missing
  it(`deletes what the preview says, for ${SETS} random sets of builds, releases, pins and rules`, async () => {
    const now = app.clock.now().getTime();
    const deletable = app.nest.get(DeletableBuilds);
    const sets: Project[] = [];
    for (let seed = 1; seed <= SETS; seed += 1) sets.push(await makes(seed, now));
    for (const set of sets) {
      const at = { organizationId: tenant.organization.id, projectId: set.projectId };
      const expected = expectedOf(set);
      const sums = await deletable.sum(app.systemContext, at, { rules: set.rules });
      expect([set.projectId, sums.builds, sums.sample.map(({ id }) => id)]).toEqual([
        set.projectId,
        expected.length,
        expected,
      ]);
    }
    await run();
    for (const set of sets)
      expect([set.rules, await idsWhere(set.projectId, 'expires_at IS NOT NULL')]).toEqual([
        set.rules,
        expectedOf(set),
      ]);
    await app.clock.advance({ days: 7, minutes: 1 });
    await run();
    for (const set of sets)
      expect([set.rules, await idsWhere(set.projectId, 'deleted_at IS NOT NULL')]).toEqual([
        set.rules,
        expectedOf(set),
      ]);
    expect(sets.reduce((sum, set) => sum + expectedOf(set).length, 0)).toBeGreaterThan(SETS / 2);
  });

  // red when: the promotion does not lock the build, or the deletion does not look for current releases after it has locked the build
  it(`never leaves a current release without its build, in ${RACES} races of a promotion and the deletion`, async () => {
    const { project, channel } = tenant;
    const admin = await Developer.logIn(app.url, tenant.admin.email, tenant.admin.password);
    const at = { organizationId: project.organizationId, projectId: project.id };
    const deletion = app.nest.get(BuildDeletionService, { strict: false });
    const letsGo: readonly RetentionRule[] = [{ keepDays: 1, per: 'project' }];
    const [builds, trash] = [
      app.nest.get(BuildsRepository, { strict: false }),
      app.nest.get(TrashRepository, { strict: false }),
    ];
    const [keep, lock] = [builds.keep.bind(builds), trash.lock.bind(trash)];
    const outcomes = new Set<string>();
    for (let race = 0; race < RACES; race += 1) {
      const id = idAt(app.clock.now().getTime() - 30 * DAY_MS);
      await copy('build', tenant.build.id, { id, blob_key: id });
      const promotes = async (): Promise<string> =>
        String((await admin.post(`/releases?${scope(project)}&channel_id=${channel.id}`, { build_id: id })).status);
      const deletes = async (): Promise<string> => {
        if (race % 5 > 0)
          return (await deletion.deleteByRules(app.systemContext, at, [id], letsGo)).length > 0 ? 'current' : 'deleted';
        return (await deletion.deleteMany(app.systemContext, at, [id], { permanently: true }))[0]!.outcome;
      };
      // In turns: nothing decides which of the two is the first, the promotion has locked the build first, the deletion has.
      let second: Promise<string> = Promise.resolve('');
      const startsSecond = async (act: () => Promise<string>): Promise<void> => {
        second = act();
        await until(() => isWaitingForLock(app));
      };
      if (race % 3 === 1)
        jest.spyOn(builds, 'keep').mockImplementationOnce(async (...args) => {
          const isKept = await keep(...args);
          await startsSecond(deletes);
          return isKept;
        });
      if (race % 3 === 2)
        jest.spyOn(trash, 'lock').mockImplementationOnce(async (...args) => {
          const locked = await lock(...args);
          await startsSecond(promotes);
          return locked;
        });
      const answers =
        race % 3 === 0
          ? await Promise.all([promotes(), deletes()])
          : race % 3 === 1
            ? [await promotes(), await second]
            : [await deletes(), await second].reverse();
      const outcome = answers.join(' ');
      outcomes.add(outcome);
      expect([race, outcome]).toEqual([race, [outcome, '201 current', '404 deleted'][race % 3]]);
      const broken = await app.sql(
        `SELECT FROM current_release c JOIN release r ON r.id = c.release_id LEFT JOIN build b ON b.id = r.build_id
         WHERE b.id IS NULL OR b.deleted_at IS NOT NULL OR r.deleted_at IS NOT NULL`,
      );
      expect([outcome, broken]).toEqual([outcome, []]);
    }
    expect([...outcomes].sort()).toEqual(['201 current', '404 deleted']);
  });
});
