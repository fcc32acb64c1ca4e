import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { type AuditEventType } from '#kernel/audit/audit-event';
import { emailKeyOf } from '#kernel/text/email-address';
import { DeviceRegistrationsService } from '#modules/devices';
import { type Developer, randomEmail, scope } from '../../actors/actors';
import { newBucket, putByosa, s3Settings } from '../../actors/byosa';
import { ResumableClient } from '../../actors/resumable-client';
import { type Tenant, verifiedDeveloper } from '../../actors/tenant';
import { type TestApp } from '../../app/test-app';
import { Phone } from '../../artifacts/phone';
import { ipa } from '../../artifacts/valid-artifacts';
import { type Ids } from './route-requests';

/** The parts of a request that differ from the default: the ids of the tenant and the JWT of its ADMIN. */
export interface Sent {
  readonly ids?: Ids;
  readonly body?: object | string;
  readonly contentType?: string;
  /** Null for a request without a credential. */
  readonly token?: string | null;
}

type Prepare = (app: TestApp, tenant: Tenant) => Sent | Promise<Sent>;

/** The audit events of one successful request of a route. */
export interface AuditedRoute {
  /** All events of the request, in this order. */
  readonly events: readonly AuditEventType[];
  readonly prepare: Prepare;
  /** Tables that the route writes outside the transaction of its effect, so that a sweep finds what a crash leaves. */
  readonly besides?: readonly string[];
  /** The effect removes the caller's access. Only a retry with the same idempotency key still gets a response. */
  readonly takesAccess?: boolean;
  /** The expected status, for a recorded request that is rejected and for a route with several statuses of success. */
  readonly status?: number;
  /** The reason why the route records no event. */
  readonly because?: string;
}

type Body = object | Prepare;

const prepared = (body: Body): Prepare => (typeof body === 'function' ? (body as Prepare) : () => ({ body }));

const records = (
  type: AuditEventType | readonly AuditEventType[],
  body: Body = {},
  more: Partial<AuditedRoute> = {},
): AuditedRoute => ({ events: typeof type === 'string' ? [type] : type, prepare: prepared(body), ...more });

const recordsNothing = (because: string, body: Body = {}): AuditedRoute => ({
  events: [],
  because,
  prepare: prepared(body),
});

const MAILED = 'The request only queues a mail.';
const LOSES_ACCESS = { takesAccess: true };

const scopeOf = ({ organization, project }: Tenant): Ids => ({
  organization_id: organization.id,
  project_id: project.id,
});

/** A build without a release. */
const newBuild = async ({ admin, project }: Tenant): Promise<string> =>
  (await admin.uploads(project, { bytes: ipa({ info: { CFBundleVersion: '2' } }), fileName: 'Demo.ipa' })).id;

/** A promotion that can still be undone. */
const newRelease = async (tenant: Tenant): Promise<Ids> => {
  const { admin, project } = tenant;
  const channel = await admin.createsChannel(project);
  const release = await admin.promotes(project, channel, { id: await newBuild(tenant) });
  return { channel_id: channel.id, release_id: release.id };
};

const upload: Prepare = () => {
  const part = (disposition: string, value: string): string =>
    `--limit\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
  const fields = Object.entries(LINUX).map(([name, value]) => part(`name="${name}"`, value));
  const body = `${fields.join('')}${part('name="file"; filename="agate.bin"', '#!/bin/sh')}--limit--\r\n`;
  return { body, contentType: 'multipart/form-data; boundary=limit' };
};

const attachment: Prepare = () => ({
  body: `--limit\r\nContent-Disposition: form-data; name="kind"\r\n\r\nother\r\n--limit\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n#!/bin/sh\r\n--limit--\r\n`,
  contentType: 'multipart/form-data; boundary=limit',
});

const LINUX = { platform: 'linux', version: '1.0' };
const UPLOADING = ['artifact_upload', 'reservation'];

const startUpload = ({ admin, project }: Tenant): Promise<ResumableClient> =>
  ResumableClient.start(admin, project, { bytes: Buffer.from('#!/bin/sh'), fileName: 'agate.bin' }, LINUX);

const partUrl: Prepare = async (_app, tenant) => {
  const [url] = await (await startUpload(tenant)).urls(1);
  const ticket = new URL(url!).pathname.split('/').at(-1)!;
  return { ids: { ticket }, body: '#!/bin/sh', contentType: 'application/octet-stream', token: null };
};

const uploadedParts: Prepare = async (_app, tenant) => {
  const client = await startUpload(tenant);
  await client.sendAll();
  return { ids: { ...scopeOf(tenant), upload_id: client.id } };
};

/** The token of a mailed link, as the member would read it in the mail. */
const link =
  (purpose: string, body: object = {}): Prepare =>
  async (app, { member }) => {
    const token = newLinkToken();
    await app.sql(
      `INSERT INTO developer_link (digest, developer_id, purpose, new_email, created_at, expires_at)
       VALUES ($1, $2, $3, $4, now(), now() + interval '1 hour')`,
      [digestOf(token), member.id, purpose, purpose === 'change_email' ? randomEmail() : null],
    );
    if (purpose === 'verify_email')
      await app.sql('UPDATE developer SET email_verified_at = NULL WHERE id = $1', [member.id]);
    return { body: { token, ...body }, token: null };
  };

const invitation: Prepare = async (app, { admin, organization }) => {
  const guest = await verifiedDeveloper(app);
  const token = newLinkToken();
  await app.sql(
    `INSERT INTO organization_invitation (id, organization_id, email, email_key, roles, digest, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, '{MEMBER}', $5, $6, now(), now() + interval '1 day')`,
    [randomUUID(), organization.id, guest.email, emailKeyOf(guest.email), digestOf(token), admin.id],
  );
  return { body: { token }, token: guest.token };
};

/** The link in the mail to a person without an account. */
const invitationOfStranger =
  (body: object = {}): Prepare =>
  async (app, tenant) => {
    const { body: given } = await invitation(app, tenant);
    await app.sql(`UPDATE organization_invitation SET email = $1, email_key = $1 WHERE digest = $2`, [
      randomEmail(),
      digestOf((given as { token: string }).token),
    ]);
    return { body: { ...(given as object), ...body }, token: null };
  };

/** A guest who opens the list of their invitations instead of the mail. */
const ownInvitation: Prepare = async (app, { admin, organization }) => {
  const guest = await verifiedDeveloper(app);
  const draft = { email: guest.email, roles: ['MEMBER'] };
  const { body } = await admin.post(`/organizations/${organization.id}/invitations`, draft).expect(201);
  return { ids: { invitation_id: (body as { id: string }).id }, token: guest.token };
};

/** The token of a tester's channel link, as the tester would read it in the mail. */
const mailedLink: Prepare = async (app, { organization, project, channel, testerId }) => {
  const token = newLinkToken();
  await app.sql(
    `INSERT INTO invite (id, organization_id, project_id, channel_id, tester_id, digest, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, now())`,
    [organization.id, project.id, channel.id, testerId, digestOf(token)],
  );
  return { ids: { invite_token: token }, token: null };
};

/** The tester's own device, and the token of a link of theirs. */
const ownDevice: Prepare = async (app, tenant) => {
  await app.sql(`UPDATE device SET tester_id = $2 WHERE id = $1`, [tenant.deviceId, tenant.testerId]);
  const { ids } = await mailedLink(app, tenant);
  return { ids: { ...ids, device_id: tenant.deviceId }, token: null };
};

/** The answer of a phone to a profile of the build's link. */
const deviceAnswer: Prepare = (app, { build }) => {
  const token = new URL(build.install_url).pathname.split('/').at(-1)!;
  const ticket = app.nest.get(DeviceRegistrationsService, { strict: false }).issue(app.systemContext, token);
  const phone = new Phone(randomUUID().replaceAll('-', '').padEnd(40, '0'));
  const body = phone.answer(ticket);
  phone.remove();
  return { ids: { ticket }, body, contentType: 'application/pkcs7-signature', token: null };
};

/** A choice that differs from the tester's present one. */
const platformChoice: Prepare = async (app, tenant) => {
  await app.sql(`UPDATE tester SET mail_platforms = '{}' WHERE id = $1`, [tenant.testerId]);
  return { ...(await mailedLink(app, tenant)), body: { platforms: ['android'] } };
};

/** A link with rules, and what its visitor sends. */
const linkWith =
  (rules: object, body: object): Prepare =>
  async (_app, { admin, project, build }) => {
    const draft = { build_id: build.id, name: 'Guarded', ...rules };
    const { body: link } = await admin.post(`/links?${scope(project)}`, draft).expect(201);
    const token = new URL((link as { install_url: string }).install_url).pathname.split('/').at(-1)!;
    return { ids: { invite_token: token }, body, token: null };
  };

const LOCKED = { access: 'password', password: 'sunny harbour' };
const lockedLink = linkWith(LOCKED, { password: 'rainy harbour' });
const unlockedLink = linkWith(LOCKED, { password: 'sunny harbour' });
const signInLink = linkWith({ access: 'sign_in' }, { email: 'tess@example.com' });
const termsLink = linkWith({ terms: 'Do not share it.' }, { version: 1 });

const subscribed: Prepare = async (_app, { admin, project, channel, testerId }) => {
  await admin.request('put', `/testers/${testerId}/subscriptions/${channel.id}?${scope(project)}`).expect(200);
  return {};
};

const newOrganization =
  (body: object = {}): Prepare =>
  async (_app, { admin }) => ({ ids: { organization_id: (await admin.createsOrganization()).id }, body });

const emptyProject: Prepare = async (_app, { admin, organization }) => ({
  ids: { organization_id: organization.id, project_id: (await admin.createsProject(organization)).id },
});

const ofMember =
  (body: (member: Developer) => object): Prepare =>
  (_app, { member }) => ({ body: body(member), token: member.token });

const login =
  (password: (member: Developer) => string): Prepare =>
  (_app, { member }) => ({ body: { email: member.email, password: password(member) }, token: null });

/** A login of a program, as the ADMIN decided about it. */
const deviceLogin =
  (decision: 'confirm' | 'deny' | null, code: 'device_code' | 'user_code'): Prepare =>
  async (app, { admin, organization }) => {
    const draft = { host: 'anns-laptop', scopes: ['builds:read'] };
    const { body } = await app.anonymous.post('/api/v1/login/device').send(draft).expect(200);
    const { device_code, user_code } = body as { device_code: string; user_code: string };
    if (decision !== null) {
      await admin.post(`/login/device/${decision}?organization_id=${organization.id}`, { user_code }).expect(204);
    }
    return code === 'user_code' ? { body: { user_code } } : { body: { device_code }, token: null };
  };

const enrolled: Prepare = async (app, { member }) => {
  const { secret } = (await member.post('/developers/me/mfa', { password: member.password }).expect(200)).body as {
    secret: string;
  };
  const code = await generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
  return { body: { password: member.password, code }, token: member.token };
};

const withSecondFactor: Prepare = async (app, tenant) => {
  const { member } = tenant;
  const { body: confirmation } = await enrolled(app, tenant);
  const { body } = await member.post('/developers/me/mfa/confirm', confirmation as object).expect(200);
  const [first, second] = (body as { recovery_codes: string[] }).recovery_codes;
  const credentials = { email: member.email, password: member.password, mfa_code: first };
  const login = await app.anonymous.post('/api/v1/login/email').send(credentials).expect(200);
  return { body: { password: member.password, code: second }, token: (login.body as { token: string }).token };
};

const usedRefreshToken: Prepare = async (app, { member }) => {
  const refresh = { refresh_token: member.refreshToken };
  await app.anonymous.post('/api/v1/login/refresh').send(refresh).expect(200);
  await app.sql(`UPDATE refresh_token SET used_at = used_at - interval '1 minute' WHERE used_at IS NOT NULL`);
  return { body: refresh, token: null };
};

const newStore: Prepare = async (app) => ({ body: { s3: s3Settings(await newBucket(app)) } });

const ownStore: Prepare = async (app, tenant) => {
  const { body } = await newStore(app, tenant);
  await putByosa(tenant.admin, tenant.organization, body as object).expect(200);
  return {};
};

/**
 * All mutating routes with the audit events of one request. Words in brackets distinguish several cases of a route.
 * test/endurance/requests/audit-events.spec.ts fails for a route that is missing here.
 */
export const AUDITED_ROUTES: Readonly<Record<string, AuditedRoute>> = {
  'POST /developers': records('developer.signed_up', () => ({
    body: { email: randomEmail(), password: 'correct horse battery' },
    token: null,
  })),
  'PATCH /developers/me': records('developer.updated', { name: 'Ann' }),
  'DELETE /developers/me': records(
    ['member.removed', 'developer.deleted'],
    ofMember(({ password }) => ({ password })),
  ),
  'POST /developers/me/email': recordsNothing(
    MAILED,
    ofMember(({ password }) => ({ new_email: randomEmail(), password })),
  ),
  'POST /developers/me/export': records(
    'developer.export_requested',
    ofMember(({ password }) => ({ password })),
  ),
  'POST /developers/me/password': records(
    'developer.password_changed',
    ofMember(({ password }) => ({ current_password: password, new_password: 'correct horse battery' })),
  ),
  'POST /developers/me/mfa': records(
    'developer.mfa_enrolled',
    ofMember(({ password }) => ({ password })),
  ),
  'POST /developers/me/mfa/confirm': records('developer.mfa_enabled', enrolled),
  'DELETE /developers/me/mfa': records(['developer.recovery_code_used', 'developer.mfa_disabled'], withSecondFactor),
  'POST /developers/resend-verification': recordsNothing(MAILED, { email: 'nobody@example.com' }),
  'POST /developers/reset_password_request': recordsNothing(MAILED, { email: 'nobody@example.com' }),
  'POST /developers/reset_password': records(
    'developer.password_reset',
    link('reset_password', { new_password: 'correct horse battery' }),
  ),
  'POST /developers/:developer_id/change_email': records('developer.email_changed', link('change_email')),
  'POST /developers/:developer_id/verify_email': records('developer.email_verified', link('verify_email')),

  'POST /login/email': records(
    'login.succeeded',
    login(({ password }) => password),
    { status: 200 },
  ),
  'POST /login/email (wrong password)': records(
    'login.failed',
    login(() => 'not the password'),
    { status: 401 },
  ),
  'POST /login/invitation': records(
    ['developer.signed_up', 'member.joined', 'login.succeeded'],
    invitationOfStranger({ password: 'correct horse battery' }),
    { status: 200 },
  ),
  'POST /login/refresh': {
    ...recordsNothing('The session continues.', (_app, { member }) => ({
      body: { refresh_token: member.refreshToken },
      token: null,
    })),
    status: 200,
  },
  'POST /login/refresh (used)': records('session.refresh_reuse', usedRefreshToken, { status: 401 }),
  'POST /login/device': {
    ...recordsNothing('No developer takes part yet.', { host: 'anns-laptop', scopes: ['builds:read'] }),
    status: 200,
  },
  'POST /login/device/token': records('personal_access_token.created', deviceLogin('confirm', 'device_code'), {
    status: 200,
  }),
  'POST /login/device/token (pending)': {
    ...recordsNothing('The program waits.', deviceLogin(null, 'device_code')),
    status: 400,
  },
  'POST /login/device/confirm': records('device_login.confirmed', deviceLogin(null, 'user_code')),
  'POST /login/device/deny': records('device_login.denied', deviceLogin(null, 'user_code')),
  'DELETE /developers/me/sessions': records('session.others_ended'),
  'DELETE /developers/me/sessions/:session_id': records(
    'session.ended',
    ofMember(() => ({})),
  ),
  'POST /login/logout': records(
    'session.logged_out',
    ofMember(() => ({})),
  ),
  'POST /login/logout (this session)': records(
    'session.ended',
    ofMember(() => ({ only_this_session: true })),
  ),

  'POST /organizations': records('organization.created', { name: 'Acme' }),
  'PATCH /organizations/:organization_id': records('organization.updated', { name: 'Acme' }),
  'PUT /organizations/:organization_id/branding': records('organization.branding_updated', {
    display_name: 'Acme',
    contact: 'beta@acme.example',
    accent: '#0057b8',
  }),
  'DELETE /organizations/:organization_id': records(
    ['billing.period_closed', 'organization.deleted'],
    newOrganization(),
    LOSES_ACCESS,
  ),
  'POST /organizations/:organization_id/plan': records('billing.plan_changed', newOrganization({ plan: 'business' })),
  'POST /organizations/:organization_id/export': records('organization.export_requested', (_app, { admin }) => ({
    body: { password: admin.password },
  })),
  'PATCH /organizations/:organization_id/billing': records('billing.updated', { spend_cap_micro_usd: 50_000_000 }),
  'POST /organizations/:organization_id/billing/top-ups': records('billing.top_up_requested', {
    amount_micro_usd: 20_000_000,
  }),
  'POST /billing/webhooks/stripe': {
    ...recordsNothing('This test has no Stripe: see test/integration/billing/top-ups.spec.ts.'),
    status: 404,
  },
  'PUT /organizations/:organization_id/byosa': records('byosa.configured', newStore),
  'POST /organizations/:organization_id/byosa/diagnose': recordsNothing('The request changes nothing.', ownStore),
  'DELETE /organizations/:organization_id/byosa': records('byosa.removed', ownStore),
  'POST /organizations/:organization_id/invitations': records('member.invited', () => ({
    body: { email: randomEmail(), roles: ['MEMBER'] },
  })),
  'DELETE /organizations/:organization_id/invitations/:invitation_id': records('invitation.withdrawn'),
  'POST /organizations/:organization_id/tokens/identify': {
    ...recordsNothing('It changes nothing.', async (_app, { admin, project }) => ({
      body: { token: await admin.createsToken(project) },
    })),
    status: 200,
  },
  'POST /organizations/invitations/preview': {
    ...recordsNothing('It changes nothing.', invitationOfStranger()),
    status: 200,
  },
  'POST /organizations/invitations/accept': records('member.joined', invitation),
  'POST /developers/me/invitations/:invitation_id/accept': records('member.joined', ownInvitation),
  'POST /developers/me/invitations/:invitation_id/decline': records('invitation.declined', ownInvitation),
  'PATCH /organizations/:organization_id/members/:developer_id': records('member.roles_changed', { roles: ['READ'] }),
  'DELETE /organizations/:organization_id/members/:developer_id': records('member.removed', {}, { status: 204 }),
  'DELETE /organizations/:organization_id/members/:developer_id (oneself)': records(
    'member.removed',
    ofMember(() => ({})),
    { ...LOSES_ACCESS, status: 204 },
  ),

  'POST /pats': records('personal_access_token.created', { name: 'script', scopes: ['builds:read'] }),
  'POST /pats/revoke': records('personal_access_token.revoked', (_app, { pat }) => ({
    body: { token: pat.token },
    token: null,
  })),
  'POST /pats/:token_id/rotate': records('personal_access_token.rotated'),
  'DELETE /pats/:token_id': records('personal_access_token.revoked'),
  'POST /project-access-tokens': records('project_access_token.created', { name: 'CI', role: 'UPLOAD_BUILD' }),
  'POST /project-access-tokens/:token_id/rotate': records('project_access_token.rotated'),
  'DELETE /project-access-tokens/:token_id': records('project_access_token.revoked'),

  'POST /projects': records('project.created', { name: 'Rocket' }),
  'PATCH /projects/:project_id': records('project.updated', { name: 'Rocket' }),
  'PATCH /projects/:project_id/min-supported-versions': records('project.min_supported_changed', { ios: '1.2' }),
  'DELETE /projects/:project_id': records('project.deleted', emptyProject, LOSES_ACCESS),
  'PUT /projects/:project_id/members/:developer_id': records('project_member.changed', { role: 'MANAGE_PROJECT' }),
  'DELETE /projects/:project_id/members/:developer_id': records('project_member.removed'),

  'POST /builds': records('build.uploaded', upload, { besides: UPLOADING }),
  'POST /builds/uploads': records('build.upload_started', {
    ...LINUX,
    file_name: 'agate.bin',
    size_bytes: 10_000_000,
  }),
  'POST /builds/uploads/:upload_id/part-urls': {
    ...recordsNothing('The upload continues.', { part_numbers: [1] }),
    besides: ['resumable_upload'],
  },
  'PUT /builds/uploads/parts/:ticket': recordsNothing('The upload continues.', partUrl),
  'POST /builds/uploads/:upload_id/complete': records('build.uploaded', uploadedParts, { besides: UPLOADING }),
  'DELETE /builds/uploads/:upload_id': records('build.upload_dropped'),
  'PATCH /builds/:build_id': records('build.updated', { notes: 'Try the new login' }),
  'POST /builds/:build_id/rotate-link': records('build.link_rotated'),
  'PUT /builds/:build_id/update-signature': records('build.update_signature_set', { signature: 'c2lnbmF0dXJl' }),
  'POST /builds/:build_id/attachments': records('attachment.created', attachment, { besides: UPLOADING }),
  'DELETE /builds/:build_id/attachments/:attachment_id': records('attachment.deleted'),
  'DELETE /builds/:build_id': records('build.deleted', async (_app, tenant) => ({
    ids: { ...scopeOf(tenant), build_id: await newBuild(tenant) },
  })),
  'POST /builds/delete': records('build.deleted', async (_app, tenant) => ({
    body: { ids: [await newBuild(tenant)] },
  })),
  'POST /builds/delete/preview': recordsNothing('It changes nothing.', { filter: { version: 'x' } }),
  'POST /builds/restore': records('build.restored', async (_app, tenant) => {
    const id = await newBuild(tenant);
    await tenant.admin.delete(`/builds/${id}?${scope(tenant.project)}`).expect(204);
    return { body: { ids: [id] } };
  }),
  'PUT /projects/:project_id/retention': records('project.retention_changed', {
    rules: [{ keep_last: 10, per: 'branch' }],
    enabled: false,
  }),
  'POST /projects/:project_id/retention/preview': recordsNothing('It changes nothing.', {
    rules: [{ keep_last: 10, per: 'branch' }],
  }),
  'POST /builds/:build_id/download-url': records('build.download_url_created'),

  'POST /channels': records('channel.created', { name: 'Beta' }),
  'PATCH /channels/:channel_id': records('channel.updated', { name: 'Gamma' }),
  'POST /channels/:channel_id/rotate-link': records('channel.link_rotated'),
  'POST /channels/close-branch': {
    ...recordsNothing('The branch has no channel: see test/api/channels/branch-channels.spec.ts.', {
      branch: 'feature/x',
    }),
    status: 200,
  },
  'DELETE /channels/:channel_id': records('channel.deleted', async (_app, tenant) => ({
    ids: { ...scopeOf(tenant), channel_id: (await tenant.admin.createsChannel(tenant.project)).id },
  })),

  'PUT /channels/:channel_id/subscribers': records('channel.subscribers_changed', async (_app, tenant) => ({
    ids: { ...scopeOf(tenant), channel_id: (await tenant.admin.createsChannel(tenant.project)).id },
    body: { add: [tenant.testerId] },
  })),

  'POST /links': records('link.created', (_app, { build }) => ({ body: { build_id: build.id, name: 'ACME demo' } })),
  'PATCH /links/:link_id': records('link.updated', { name: 'Fair' }),
  'POST /links/:link_id/rotate': records('link.rotated'),
  'POST /links/:link_id/grant': recordsNothing('The grant is not stored.'),
  'DELETE /links/:link_id': records('link.deleted'),
  'POST /update-keys': records('update_key.created', { platform: 'linux' }),
  'POST /update-keys/:update_key_id/rotate': records('update_key.rotated'),
  'DELETE /update-keys/:update_key_id': records('update_key.revoked'),

  'POST /releases': records('release.promoted', async (_app, tenant) => ({
    body: { build_id: await newBuild(tenant) },
  })),
  'POST /releases/:release_id/undo': records('release.undone', async (_app, tenant) => ({
    ids: { ...scopeOf(tenant), ...(await newRelease(tenant)) },
  })),
  'DELETE /releases/:release_id': records('release.withdrawn'),
  'POST /releases/:release_id/reminders': records('release.reminded'),

  'POST /testers': records('tester.created', () => ({ body: { email: randomEmail() } })),
  'POST /testers/batch': records('testers.imported', () => ({ body: { testers: [{ email: randomEmail() }] } })),
  'POST /testers/import': records('testers.imported', () => ({
    body: `email\r\n${randomEmail()}\r\n`,
    contentType: 'text/csv',
  })),
  'POST /testers/bulk': records('tester.invited', (_app, { testerId }) => ({
    body: { action: 'invite', tester_ids: [testerId] },
  })),
  'POST /testers/bulk (erase)': records('tester.erased', (_app, { testerId }) => ({
    body: { action: 'erase', tester_ids: [testerId] },
  })),
  'PATCH /testers/:tester_id': records('tester.updated', { name: 'Tess' }),
  'DELETE /testers/:tester_id': records('tester.erased'),
  'POST /testers/:tester_id/invite': records('tester.invited'),
  'PUT /testers/:tester_id/subscriptions/:channel_id': records('tester.subscribed', async (_app, tenant) => ({
    ids: {
      ...scopeOf(tenant),
      tester_id: tenant.testerId,
      channel_id: (await tenant.admin.createsChannel(tenant.project)).id,
    },
  })),
  'DELETE /testers/:tester_id/subscriptions/:channel_id': records('tester.unsubscribed', subscribed),
  'POST /devices/import': records('devices.imported', () => ({
    body: `udid\r\n${randomUUID().replaceAll('-', '').padEnd(40, '0')}\r\n`,
    contentType: 'text/csv',
  })),
  'POST /devices/mark-registered': records('devices.marked_registered', (_app, tenant) => ({
    body: { ids: [tenant.deviceId] },
  })),
  'POST /webhooks': records('webhook.created', {
    name: 'Chat',
    url: 'https://hooks.invalid/chat',
    types: ['organization.deleted'],
  }),
  'PATCH /webhooks/:webhook_id': records('webhook.updated', { name: 'Team chat' }),
  'DELETE /webhooks/:webhook_id': records('webhook.deleted'),
  'POST /webhooks/:webhook_id/rotate-secret': records('webhook.secret_rotated'),
  'POST /webhooks/:webhook_id/resume': records('webhook.resumed', { from: 'now' }),
  'POST /webhooks/:webhook_id/test': recordsNothing('The request only queues a message.'),
  'POST /webhook-deliveries/:webhook_delivery_id/redeliver': recordsNothing('The request only queues a message.'),
  'PATCH /devices/:device_id': records('device.updated', { name: 'iPhone' }),
  'DELETE /devices/:device_id': records('device.removed'),
  'POST /install/devices/:ticket': records('device.registered', deviceAnswer, { status: 301 }),
  'POST /install/:invite_token/devices/:device_id': records('device.updated', ownDevice),
  'POST /install/:invite_token/devices/:device_id/remove': records('device.removed', ownDevice),
  'POST /install/:invite_token/subscribe': records('tester.subscribed', mailedLink),
  'POST /install/:invite_token/unsubscribe': records('tester.unsubscribed', mailedLink),
  'POST /install/:invite_token/decline': records('tester.declined', mailedLink),
  'POST /install/:invite_token/unlock': { ...recordsNothing('The grant is not stored.', unlockedLink), status: 303 },
  'POST /install/:invite_token/unlock (wrong password)': records('link.password_failed', lockedLink, { status: 404 }),
  'POST /install/:invite_token/sign-in': recordsNothing('The request only queues a mail.', signInLink),
  'POST /install/:invite_token/terms': {
    ...recordsNothing('The acceptance is a row of its own.', termsLink),
    status: 303,
  },
  'POST /install/:invite_token/platforms': records('tester.platforms_chosen', platformChoice),
};
