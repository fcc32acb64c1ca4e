import { randomUUID } from 'node:crypto';
import { PAT_SCOPES } from '#kernel/access/roles';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { type TestApp } from '../app/test-app';
import { ipa, PROFILE_DEVICES } from '../artifacts/valid-artifacts';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  type ReleaseJson,
  scope,
} from './actors';

interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** An organization with one of every resource that a route can name. */
export interface Tenant {
  readonly admin: Developer;
  /** A MEMBER of the organization with a role in the project. */
  readonly member: Developer;
  readonly organization: OrganizationRef;
  readonly project: ProjectRef;
  readonly build: BuildJson;
  /** Of the build. */
  readonly attachmentId: string;
  readonly channel: ChannelJson;
  readonly release: ReleaseJson;
  /** A project access token with MANAGE_PROJECT. */
  readonly projectToken: IssuedToken;
  /** The ADMIN's personal access token, with every scope. */
  readonly pat: IssuedToken;
  readonly invitationId: string;
  /** A resumable upload without parts. */
  readonly uploadId: string;
  readonly testerId: string;
  /** A device without a tester, which is in the profile of the build. */
  readonly deviceId: string;
  /** A webhook of the project, which no event concerns. */
  readonly webhookId: string;
  /** A test of the webhook, whose receiver does not exist. */
  readonly webhookDeliveryId: string;
  /** Of the channel, for iOS. */
  /** A named link of the channel. */
  readonly linkId: string;
  readonly updateKey: { readonly id: string; readonly key: string };
}

/** @param mark is part of every text that the tenant can choose. */
export async function createTenant(app: TestApp, mark: string = randomUUID()): Promise<Tenant> {
  const [admin, member] = await Promise.all([
    verifiedDeveloper(app, `${mark}.admin@example.com`),
    verifiedDeveloper(app, `${mark}.member@example.com`),
  ]);
  await admin.patch('/developers/me', { name: mark }).expect(200);
  const organization = await admin.createsOrganization(`Organization ${mark}`);
  const project = await admin.createsProject(organization, `Project ${mark}`);
  await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER}', now())`, [organization.id, member.id]);
  await admin
    .request('put', `/projects/${project.id}/members/${member.id}?organization_id=${organization.id}`)
    .send({ role: 'VIEW_PROJECT' })
    .expect(200);
  const file = { bytes: ipa({ info: { CFBundleDisplayName: mark } }), fileName: `${mark}.ipa` };
  const texts = { notes: mark, branch: mark, commit: mark.slice(0, 64), ci_url: `https://ci.example.com/${mark}` };
  const build = await inspectingHere(app, () => admin.uploads(project, file, texts));
  const symbols = { bytes: Buffer.from(mark), fileName: `${mark}.txt` };
  const { id: attachmentId } = await admin.attaches(project, build, symbols, { kind: 'other' });
  await admin.changesPlan(organization, 'business');
  const channel = await admin.createsChannel(project, `Channel ${mark}`);
  const release = await admin.promotes(project, channel, build, mark);
  const issue = async (path: string, body: object): Promise<IssuedToken> =>
    (await admin.post(path, body).expect(201)).body as IssuedToken;
  const projectToken = await issue(`/project-access-tokens?${scope(project)}`, { name: mark, role: 'MANAGE_PROJECT' });
  const pat = await issue(`/pats?organization_id=${organization.id}`, { name: mark, scopes: PAT_SCOPES });
  const { id: invitationId } = await issue(`/organizations/${organization.id}/invitations`, {
    email: `${mark}.guest@example.com`,
    roles: ['MEMBER'],
  });
  const announced = { file_name: `${mark}.ipa`, size_bytes: 20_000_000, ...texts };
  const { id: uploadId } = await issue(`/builds/uploads?${scope(project)}`, announced);
  const { id: testerId } = await issue(`/testers?${scope(project)}`, {
    email: `${mark}@tester.example.com`,
    name: mark,
  });
  const subscription = `/testers/${testerId}/subscriptions/${channel.id}?${scope(project)}`;
  await admin.request('put', subscription).expect(200);
  const deviceId = await knowsDevice(admin, project);
  const webhook = { name: mark, url: `https://hooks.invalid/${mark}`, types: ['organization.deleted'] };
  const { id: webhookId } = await issue(`/webhooks?${scope(project)}`, webhook);
  const test = admin.post(`/webhooks/${webhookId}/test?organization_id=${organization.id}`);
  const { id: webhookDeliveryId } = (await test.expect(202)).body as { id: string };
  const ofChannel = `/update-keys?${scope(project)}&channel_id=${channel.id}`;
  const link = { channel_id: channel.id, name: mark, access: 'password', password: `password of ${mark}`, terms: mark };
  const { id: linkId } = await issue(`/links?${scope(project)}`, link);
  const { body: updateKey } = await admin.post(ofChannel, { platform: 'ios' }).expect(201);
  return {
    admin,
    member,
    organization,
    project,
    build,
    attachmentId,
    channel,
    release,
    projectToken,
    pat,
    invitationId,
    uploadId,
    testerId,
    deviceId,
    webhookId,
    webhookDeliveryId,
    linkId,
    updateKey: updateKey as Tenant['updateKey'],
  };
}

/** Adds a device. @returns its id. */
async function knowsDevice(admin: Developer, project: ProjectRef): Promise<string> {
  const file = admin.request('post', `/devices/import?${scope(project)}`).set('Content-Type', 'text/csv');
  await file.send(`udid\r\n${PROFILE_DEVICES[0]}\r\n`).expect(200);
  const { body } = await admin.get(`/devices?${scope(project)}`).expect(200);
  return (body as { items: { id: string }[] }).items[0]!.id;
}

/** Inspects artifacts without a worker thread, whose start takes a third of the time of `createTenant`. */
async function inspectingHere<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
  const inspector = app.nest.get(ArtifactInspector, { strict: false });
  Object.assign(inspector, { inspect: readArtifact });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(inspector, 'inspect');
  }
}

/** A developer with a verified e-mail, set up without the mail. */
export async function verifiedDeveloper(app: TestApp, email?: string): Promise<Developer> {
  const developer = await app.unverifiedDeveloper(email);
  await app.sql('UPDATE developer SET email_verified_at = now() WHERE id = $1', [developer.id]);
  return developer;
}
