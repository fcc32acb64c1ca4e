import { randomUUID } from 'node:crypto';
import type { FauxqsServer } from 'fauxqs' with { 'resolution-mode': 'import' };
import { type S3Description } from '#infra/blob/store-description';
import { type Answer, FaultyProxy, type SeenRequest } from './faulty-proxy';
import { refusalOf, type S3Keys } from './s3-signature';

const KEYS: S3Keys = { accessKeyId: 'AGATETESTKEY', secretAccessKey: 'a-secret-that-is-only-known-to-tests' };

interface Multipart {
  readonly objectPath: string;
  readonly parts: Map<number, { readonly etag: string; readonly sizeBytes: number }>;
}

/**
 * An S3 server for tests. The fake behind it keeps the objects; this front does what the fake does not: it verifies signatures, honours
 * `If-None-Match` on writes and `response-…` on reads, and lists multipart uploads and their parts.
 */
export class S3Server extends FaultyProxy {
  /** How far its clock is ahead of ours. */
  skewMs = 0;
  /** Some that speak S3 do not know conditional writes. */
  knowsOnlyNew = true;
  private readonly uploads = new Map<string, Multipart>();
  private readonly busy = new Map<string, Promise<unknown>>();

  private constructor(private readonly fake: FauxqsServer) {
    super(`http://127.0.0.1:${fake.port}`);
  }

  static async start(): Promise<S3Server> {
    // Only an ES module.
    const { startFauxqs } = await import('fauxqs');
    const fake = await startFauxqs({ port: 0, logger: false });
    return new S3Server(fake).listen();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.fake.stop();
  }

  /** A new bucket. */
  bucket(): S3Description {
    const bucket = `agate-${randomUUID()}`;
    this.fake.createBucket(bucket);
    return { provider: 's3', endpoint: this.url, region: 'eu-test-1', bucket, forcePathStyle: true, ...KEYS };
  }

  /** Multipart uploads that are neither complete nor aborted. */
  openUploads({ bucket }: S3Description): string[] {
    return [...this.uploads.values()].flatMap(({ objectPath }) =>
      objectPath.startsWith(`/${bucket}/`) ? [objectPath.slice(bucket.length + 2)] : [],
    );
  }

  protected override async answer(request: SeenRequest): Promise<Answer> {
    const refusal = refusalOf(request, KEYS, Date.now() + this.skewMs);
    if (refusal) return this.errorAnswer(refusal.status, refusal.code);
    const { method, url } = request;
    const query = url.searchParams;
    const uploadId = query.get('uploadId') ?? '';
    if (method === 'GET' && query.has('uploads')) return this.listUploads(url);
    if (method === 'GET' && query.has('uploadId')) return this.listParts(uploadId);
    if (request.headers['if-none-match'] === '*') return this.onlyNew(request);
    return this.remembered(request, uploadId, withOverrides(await this.forward(request), request));
  }

  private async onlyNew(request: SeenRequest): Promise<Answer> {
    if (!this.knowsOnlyNew) return this.errorAnswer(501, 'NotImplemented');
    const objectPath = request.url.pathname;
    const before = this.busy.get(objectPath) ?? Promise.resolve();
    const mine = before.then(async () => {
      const head = await this.forward({
        ...request,
        method: 'HEAD',
        path: objectPath,
        headers: {},
        body: Buffer.alloc(0),
      });
      if (head.status === 200) return this.errorAnswer(412, 'PreconditionFailed');
      const { 'if-none-match': _, ...headers } = request.headers;
      const uploadId = request.url.searchParams.get('uploadId') ?? '';
      return this.remembered(request, uploadId, await this.forward({ ...request, headers }));
    });
    this.busy.set(
      objectPath,
      mine.catch(() => undefined),
    );
    return mine;
  }

  /** Keeps book of multipart uploads. */
  private remembered({ method, url, body }: SeenRequest, uploadId: string, answer: Answer): Answer {
    if (answer.status >= 300) return answer;
    const query = url.searchParams;
    if (method === 'POST' && query.has('uploads')) {
      const id = /<UploadId>(.*?)<\/UploadId>/.exec(answer.body.toString())?.[1] ?? '';
      this.uploads.set(id, { objectPath: url.pathname, parts: new Map() });
    } else if (method === 'PUT' && uploadId) {
      const part = { etag: String(answer.headers['etag']), sizeBytes: body.length };
      this.uploads.get(uploadId)?.parts.set(Number(query.get('partNumber')), part);
    } else if (uploadId) {
      this.uploads.delete(uploadId);
    }
    return answer;
  }

  private listParts(uploadId: string): Answer {
    const upload = this.uploads.get(uploadId);
    if (!upload) return this.errorAnswer(404, 'NoSuchUpload');
    const parts = [...upload.parts].sort(([a], [b]) => a - b);
    return xml(
      'ListPartsResult',
      parts.map(
        ([number, { etag, sizeBytes }]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${sizeBytes}</Size></Part>`,
      ),
    );
  }

  private listUploads(url: URL): Answer {
    const at = `${url.pathname.replace(/\/$/, '')}/`;
    const wanted = at + (url.searchParams.get('prefix') ?? '');
    const found = [...this.uploads].filter(([, { objectPath }]) => objectPath.startsWith(wanted));
    return xml(
      'ListMultipartUploadsResult',
      found.map(
        ([id, { objectPath }]) =>
          `<Upload><Key>${objectPath.slice(at.length)}</Key><UploadId>${id}</UploadId></Upload>`,
      ),
    );
  }
}

const xml = (element: string, items: readonly string[]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0"?><${element}><IsTruncated>false</IsTruncated>${items.join('')}</${element}>`),
});

/** A reader may say with which headers it wants to be answered. */
function withOverrides(answer: Answer, { method, url }: SeenRequest): Answer {
  if (method !== 'GET' || answer.status >= 300) return answer;
  const wanted = [...url.searchParams].flatMap(([name, value]) =>
    name.startsWith('response-') ? [[name.slice('response-'.length), value] as const] : [],
  );
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(wanted) } };
}
