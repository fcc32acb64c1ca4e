import { randomBytes, randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { type Mailbox } from '../app/mailbox';

export const randomEmail = (): string => `ann.${randomBytes(5).toString('hex')}@example.com`;

export interface OrganizationRef {
  readonly id: string;
}

export interface ProjectRef {
  readonly id: string;
  readonly organizationId: string;
}

/** The JSON of a channel. */
export interface ChannelJson {
  readonly id: string;
  readonly name: string;
  readonly install_url: string;
  readonly [key: string]: unknown;
}

/** The JSON of a release. Only the fields that many tests use are named. */
export interface ReleaseJson {
  readonly id: string;
  readonly build_id: string;
  readonly channel_id: string;
  readonly platform: string;
  readonly sequence: number;
  readonly current: boolean;
  readonly [key: string]: unknown;
}

/** The JSON of a build. Only the fields that many tests use are named. */
export interface BuildJson {
  readonly id: string;
  readonly version: string;
  readonly platform: string;
  readonly install_url: string;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly uploaded_at: string;
  readonly warnings: { code: string; message: string }[];
  readonly [key: string]: unknown;
}

/** The JSON of an attachment. */
export interface AttachmentJson {
  readonly id: string;
  readonly build_id: string;
  readonly kind: string;
  readonly arch: string | null;
  readonly file_name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly sha512: string;
  readonly signature: string | null;
  readonly created_at: string;
}

export interface UploadFile {
  readonly bytes: Buffer;
  readonly fileName: string;
}

/** A client with a bearer credential. */
export class Bearer {
  constructor(
    readonly url: string,
    public token: string,
  ) {}

  get(path: string): supertest.Test {
    return this.request('get', path);
  }
  post(path: string, body: object = {}): supertest.Test {
    return this.request('post', path).send(body);
  }
  patch(path: string, body: object = {}): supertest.Test {
    return this.request('patch', path).send(body);
  }
  delete(path: string): supertest.Test {
    return this.request('delete', path);
  }

  /** Uploads a file. The test checks the response. */
  upload(project: ProjectRef, file: UploadFile, fields: Readonly<Record<string, string>> = {}): supertest.Test {
    const request = this.request('post', `/builds?${scope(project)}`);
    for (const [name, value] of Object.entries(fields)) void request.field(name, value);
    return request.attach('file', file.bytes, file.fileName);
  }

  /** Uploads a file and expects success. */
  async uploads(
    project: ProjectRef,
    file: UploadFile,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<BuildJson> {
    return (await this.upload(project, file, fields).expect(201)).body as BuildJson;
  }

  /** Adds a file to a build. The test checks the response. */
  attach(
    project: ProjectRef,
    build: { readonly id: string },
    file: UploadFile,
    fields: Readonly<Record<string, string>>,
  ): supertest.Test {
    const request = this.request('post', `/builds/${build.id}/attachments?${scope(project)}`);
    for (const [name, value] of Object.entries(fields)) void request.field(name, value);
    return request.attach('file', file.bytes, file.fileName);
  }

  /** Adds a file to a build and expects success. */
  async attaches(
    project: ProjectRef,
    build: { readonly id: string },
    file: UploadFile,
    fields: Readonly<Record<string, string>>,
  ): Promise<AttachmentJson> {
    return (await this.attach(project, build, file, fields).expect(201)).body as AttachmentJson;
  }

  async createsChannel(project: ProjectRef, name = `Channel ${randomUUID()}`): Promise<ChannelJson> {
    return (await this.post(`/channels?${scope(project)}`, { name }).expect(201)).body as ChannelJson;
  }

  /** Promotes a build. The test checks the response. */
  promote(project: ProjectRef, channel: { id: string }, build: { id: string }, notes?: string): supertest.Test {
    return this.post(`/releases?${scope(project)}&channel_id=${channel.id}`, { build_id: build.id, notes });
  }

  /** Promotes a build and expects success. */
  async promotes(
    project: ProjectRef,
    channel: { id: string },
    build: { id: string },
    notes?: string,
  ): Promise<ReleaseJson> {
    return (await this.promote(project, channel, build, notes).expect(201)).body as ReleaseJson;
  }

  request(method: 'get' | 'post' | 'patch' | 'put' | 'delete' | 'head', path: string): supertest.Test {
    return supertest(this.url)[method](`/api/v1${path}`).set('Authorization', `Bearer ${this.token}`);
  }
}

/** A developer with a session. */
export class Developer extends Bearer {
  private constructor(
    url: string,
    token: string,
    public refreshToken: string,
    readonly email: string,
    readonly password: string,
    readonly id: string,
  ) {
    super(url, token);
  }

  /** Signs up, verifies the e-mail by the mailed link, and logs in. */
  static async signUp(url: string, mailbox: Mailbox, email = randomEmail(), password?: string): Promise<Developer> {
    const developer = await Developer.register(url, email, password);
    const link = await mailbox.link(email);
    await supertest(url)
      .get(link.pathname + link.search)
      .expect(200);
    return developer;
  }

  /** Signs up and logs in, without verifying the e-mail address. */
  static async register(url: string, email = randomEmail(), password = `pass phrase of ${email}`): Promise<Developer> {
    await supertest(url).post('/api/v1/developers').send({ email, password }).expect(202);
    return Developer.logIn(url, email, password);
  }

  static async logIn(url: string, email: string, password: string): Promise<Developer> {
    const { body } = await supertest(url).post('/api/v1/login/email').send({ email, password }).expect(200);
    const { token, refresh_token } = body as { token: string; refresh_token: string };
    const me = await supertest(url).get('/api/v1/developers/me').set('Authorization', `Bearer ${token}`).expect(200);
    return new Developer(url, token, refresh_token, email, password, (me.body as { id: string }).id);
  }

  async createsOrganization(name = `Organization ${randomUUID()}`): Promise<OrganizationRef> {
    return (await this.post('/organizations', { name }).expect(201)).body as OrganizationRef;
  }

  async changesPlan(organization: OrganizationRef, plan: 'team' | 'business'): Promise<void> {
    await this.post(`/organizations/${organization.id}/plan`, { plan }).expect(200);
  }

  async createsProject(organization: OrganizationRef, name = `Project ${randomUUID()}`): Promise<ProjectRef> {
    const { body } = await this.post(`/projects?organization_id=${organization.id}`, { name }).expect(201);
    return { id: (body as { id: string }).id, organizationId: organization.id };
  }

  /** @returns the token's value. */
  async createsToken(project: ProjectRef, role = 'UPLOAD_BUILD'): Promise<string> {
    const { body } = await this.post(`/project-access-tokens?${scope(project)}`, { name: 'CI', role }).expect(201);
    return (body as { token: string }).token;
  }
}

/** A CI job with a project access token. */
export class ProjectCredential extends Bearer {}

/** The query string that names a project. */
export const scope = ({ organizationId, id }: ProjectRef): string =>
  `organization_id=${organizationId}&project_id=${id}`;
