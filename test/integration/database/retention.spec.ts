import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

describe('the nightly deletion', () => {
  let app: TestApp;
  let tenant: Tenant;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
  });
  afterAll(() => app.stop());

  const count = async (from: string, values: unknown[] = []): Promise<number> =>
    (await app.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`, values))[0]!.n;

  // red when: the age of the mail counts instead of the time since its release was replaced, or waiting mails of a current one are deleted
  it('of mails about releases begins 30 days after another release of the platform replaced theirs', async () => {
    const { admin, project, channel, release, testerId } = tenant;
    await app.sql(
      `INSERT INTO release_mail (organization_id, project_id, release_id, tester_id, queued_at)
       VALUES ($1, $2, $3, $4, now() - interval '2 years') ON CONFLICT DO NOTHING`,
      [project.organizationId, project.id, release.id, testerId],
    );
    const mails = () => count('release_mail WHERE release_id = $1', [release.id]);
    await app.runsJob('release.prune-mails');
    expect(await mails()).toBe(1);
    const next = await admin.uploads(project, { bytes: ipa({ info: { CFBundleVersion: '2' } }), fileName: 'a.ipa' });
    const { id } = await admin.promotes(project, channel, next);
    await app.sql(`UPDATE release SET promoted_at = now() - interval '29 days' WHERE id = $1`, [id]);
    await app.runsJob('release.prune-mails');
    expect(await mails()).toBe(1);
    await app.sql(`UPDATE release SET promoted_at = now() - interval '31 days' WHERE id = $1`, [id]);
    await app.runsJob('release.prune-mails');
    expect(await mails()).toBe(0);
  });

  it('of the links of testers begins a year after they were mailed or last used; links of builds and channels stay', async () => {
    const { organization, project, testerId, build, channel } = tenant;
    const link = async (created: string, opened: string | null, spent: string | null): Promise<string> => {
      const [row] = await app.sql<{ id: string }>(
        `INSERT INTO invite (id, organization_id, project_id, tester_id, digest, created_at, last_opened_at, spent_at)
         VALUES (gen_random_uuid(), $1, $2, $3, sha256(random()::text::bytea), now() - $4::interval, now() - $5::interval,
           now() - $6::interval) RETURNING id`,
        [organization.id, project.id, testerId, created, opened, spent],
      );
      return row!.id;
    };
    const kept = [
      await link('364 days', null, null),
      await link('3 years', '364 days', null),
      await link('3 years', null, '364 days'),
    ];
    const gone = [await link('367 days', null, null), await link('3 years', '367 days', '2 years')];
    await app.sql(`UPDATE invite SET created_at = now() - interval '3 years' WHERE tester_id IS NULL`);
    await app.runsJob('install-links.prune');
    expect(await count('invite WHERE id = ANY ($1::uuid[])', [kept])).toBe(3);
    expect(await count('invite WHERE id = ANY ($1::uuid[])', [gone])).toBe(0);
    for (const { install_url } of [build, channel]) await app.anonymous.get(new URL(install_url).pathname).expect(200);
  });

  it('of the download log begins after a year, and leaves the counts of the build', async () => {
    const { organization, project, build } = tenant;
    const logs = (age: string) =>
      app.sql(
        `INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
         VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'developer', 'other', now() - $4::interval)`,
        [organization.id, project.id, build.id, age],
      );
    for (const age of ['366 days', '364 days', '2 years']) await logs(age);
    await app.sql('UPDATE build SET downloads_total = 3 WHERE id = $1', [build.id]);
    await app.runsJob('builds.prune-download-log');
    expect(await count('build_download WHERE build_id = $1', [build.id])).toBe(1);
    const { body } = await tenant.admin.get(`/builds/${build.id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ downloads: { total: 3 } });
  });

  it('of reports of installed apps begins after a year', async () => {
    const { organization, project, build } = tenant;
    for (const [age, digest] of [
      ['366 days', 'old'],
      ['364 days', 'new'],
    ])
      await app.sql(
        `INSERT INTO build_installation (build_id, digest, organization_id, project_id, reported_at)
         VALUES ($1, $2, $3, $4, now() - $5::interval)`,
        [build.id, Buffer.from(digest!), organization.id, project.id, age],
      );
    await app.runsJob('builds.prune-installations');
    expect(await count('build_installation WHERE build_id = $1', [build.id])).toBe(1);
  });

  it('of accounts begins after 30 days without a verified address', async () => {
    const [old, young, verified] = [randomEmail(), randomEmail(), randomEmail()];
    for (const email of [old, young, verified]) await Developer.register(app.url, email);
    await app.sql(`UPDATE developer SET created_at = now() - interval '31 days' WHERE email = ANY ($1)`, [
      [old, verified],
    ]);
    await app.sql(`UPDATE developer SET created_at = now() - interval '29 days' WHERE email = $1`, [young]);
    await app.sql(`UPDATE developer SET email_verified_at = now() WHERE email = $1`, [verified]);
    await app.runsJob('developers.prune-unverified');
    const left = await app.sql<{ email: string }>('SELECT email FROM developer WHERE email = ANY ($1)', [
      [old, young, verified],
    ]);
    expect(left.map(({ email }) => email).sort()).toEqual([young, verified].sort());
  });

  it('of tokens begins 90 days after they expired', async () => {
    const { admin, project, organization } = tenant;
    const ages: Record<string, string | null> = { old: '91 days', recent: '89 days', endless: null };
    for (const [name, age] of Object.entries(ages)) {
      await admin.post(`/project-access-tokens?${scope(project)}`, { name, role: 'UPLOAD_BUILD' }).expect(201);
      await admin.post(`/pats?organization_id=${organization.id}`, { name, scopes: ['builds:read'] }).expect(201);
      for (const table of ['project_access_token', 'personal_access_token'])
        await app.sql(`UPDATE ${table} SET expires_at = now() - $2::interval WHERE name = $1`, [name, age]);
    }
    await app.runsJob('tokens.prune-expired');
    for (const path of [`/project-access-tokens?${scope(project)}`, `/pats?organization_id=${organization.id}`]) {
      const { items } = (await admin.get(path).expect(200)).body as { items: { name: string }[] };
      const names = items.map(({ name }) => name).filter((name) => name in ages);
      expect(names.sort()).toEqual(['endless', 'recent']);
    }
  });

  it('of mails in files begins after 30 days, and leaves other files', async () => {
    const directory = join(app.dataDirectory, 'mail');
    await mkdir(directory, { recursive: true });
    const nameAt = (days: number): string => {
      const time = new Date(app.clock.now().getTime() - days * 86_400_000).toISOString().replace(/[-:.]/g, '');
      return `${time}-019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10.eml`;
    };
    const [old, part, young, other] = [nameAt(31), `${nameAt(32)}.part`, nameAt(29), '20200101-notes.txt'];
    for (const name of [old, part, young, other]) await writeFile(join(directory, name), '');
    await app.runsJob('mail.prune-files');
    const names = await readdir(directory);
    expect(names).toEqual(expect.arrayContaining([young, other]));
    expect(names.filter((name) => name === old || name === part)).toEqual([]);
  });
});
