import { request } from 'node:http';
import { type Bearer, type BuildJson, type ProjectRef, scope } from './actors';

/** The base URL of a service that is started by a test. */
const CONFIGURED = 'http://localhost:3000';

export interface UploadPartJson {
  readonly part_number: number;
  readonly size_bytes: number;
  readonly arrived: boolean;
}

export interface UploadJson {
  readonly id: string;
  readonly state: 'open' | 'complete';
  readonly size_bytes: number;
  readonly part_size_bytes: number;
  readonly part_count: number;
  readonly expires_at: string | null;
  readonly build_id: string | null;
  readonly parts: readonly UploadPartJson[];
}

/** A client of one resumable upload, step by step. */
export class ResumableClient {
  private constructor(
    private readonly bearer: Bearer,
    private readonly project: ProjectRef,
    private readonly bytes: Buffer,
    readonly upload: UploadJson,
    private readonly through: 'service' | undefined,
  ) {}

  /** @param fields the announced fields beside name and size. */
  static async start(
    bearer: Bearer,
    project: ProjectRef,
    { bytes, fileName }: { bytes: Buffer; fileName: string },
    fields: Readonly<Record<string, unknown>> = {},
    through?: 'service',
  ): Promise<ResumableClient> {
    const announced = { file_name: fileName, size_bytes: bytes.length, ...fields };
    const { body } = await bearer.post(`/builds/uploads?${scope(project)}`, announced).expect(201);
    return new ResumableClient(bearer, project, bytes, body as UploadJson, through);
  }

  get id(): string {
    return this.upload.id;
  }

  path(rest = ''): string {
    return `/builds/uploads/${this.id}${rest}?${scope(this.project)}`;
  }

  async arrived(): Promise<number[]> {
    const { parts } = (await this.bearer.get(this.path()).expect(200)).body as UploadJson;
    return parts.filter(({ arrived }) => arrived).map((part) => part.part_number);
  }

  /** Part URLs, with the address of the test's server. */
  async urls(...numbers: number[]): Promise<string[]> {
    const { body } = await this.bearer
      .post(this.path('/part-urls'), { part_numbers: numbers, through: this.through })
      .expect(200);
    return (body as { urls: { url: string }[] }).urls.map(({ url }) => this.reachable(url));
  }

  part(number: number): Buffer {
    const { part_size_bytes: size } = this.upload;
    return this.bytes.subarray((number - 1) * size, number * size);
  }

  put(url: string, bytes: Buffer, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers });
  }

  /** Sends a share of the first part and disconnects. */
  cut(url: string, share: number): Promise<void> {
    const part = this.part(1);
    return new Promise((resolve) => {
      const outgoing = request(url, { method: 'PUT', headers: { 'Content-Length': part.length } });
      outgoing.on('error', () => undefined).once('close', resolve);
      outgoing.write(part.subarray(0, Math.ceil(part.length * share)), () => setImmediate(() => outgoing.destroy()));
    });
  }

  async send(number: number, bytes = this.part(number)): Promise<Response> {
    const [url] = await this.urls(number);
    return this.put(url!, bytes);
  }

  async sendAll(): Promise<void> {
    for (const { part_number: number } of this.upload.parts) {
      const { status } = await this.send(number);
      if (status >= 300) throw new Error(`part ${number}: ${status}`);
    }
  }

  complete(headers: Readonly<Record<string, string>> = {}) {
    return this.bearer.post(this.path('/complete')).set({ ...headers });
  }

  async completes(): Promise<BuildJson> {
    return (await this.complete().expect(201)).body as BuildJson;
  }

  drop() {
    return this.bearer.delete(this.path());
  }

  /** Replaces the configured base URL by the test's server. URLs of a store stay unchanged. */
  private reachable(url: string): string {
    const { origin, pathname, search } = new URL(url, CONFIGURED);
    return origin === CONFIGURED ? this.bearer.url + pathname + search : url;
  }
}
