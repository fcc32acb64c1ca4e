import { randomUUID } from 'node:crypto';
import type { buildApp } from 'fauxqs' with { 'resolution-mode': 'import' };
import { type S3Description } from '#infra/blob/store-description';
import { bytesOf, FaultyProxy, type SeenRequest, type StoreResponse } from '../proxies/faulty-proxy';
import { rejectionOf, type S3Keys } from './s3-signature';

const KEYS: S3Keys = { accessKeyId: 'AGATETESTKEY', secretAccessKey: 'a-secret-that-is-only-known-to-tests' };

/** The fake server, which is called without a socket. */
type Fake = ReturnType<typeof buildApp>;
type Method = 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';

interface Multipart {
  readonly objectPath: string;
  readonly parts: Map<number, { readonly etag: string; readonly sizeBytes: number }>;
}

/**
 * An S3 server for tests. A fake server stores the objects. This class adds what the fake lacks: it verifies signatures, applies
 * `If-None-Match` to writes and `response-…` parameters to reads, and lists multipart uploads and their parts.
 */
export class S3Server extends FaultyProxy {
  /** The milliseconds by which the server's clock is ahead. */
  skewMs = 0;
  /** Set to false to act as an S3-compatible store without conditional writes. */
  supportsConditions = true;
  /** Set to false to act as an S3-compatible store without ListParts. */
  supportsListParts = true;
  /** Set to true to act as a bucket whose policy lets the client, such as the edge of a CDN, read without a signature. */
  allowsAnonymousReads = false;
  private readonly uploads = new Map<string, Multipart>();
  private readonly busy = new Map<string, Promise<unknown>>();

  /** Resolves when all buckets exist. */
  private buckets: Promise<unknown> = Promise.resolve();

  private constructor(private readonly fake: Fake) {
    super();
  }

  static async start(): Promise<S3Server> {
    // An ES module, so `require` cannot load it.
    const { buildApp } = await import('fauxqs');
    return new S3Server(buildApp({ logger: false })).listen();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.fake.close();
  }

  /** Creates a bucket. */
  bucket(): S3Description {
    const bucket = `agate-${randomUUID()}`;
    this.buckets = Promise.all([this.buckets, this.fake.inject({ method: 'PUT', url: `/${bucket}` })]);
    return { provider: 's3', endpoint: this.url, region: 'eu-test-1', bucket, forcePathStyle: true, ...KEYS };
  }

  /** The keys of multipart uploads that are neither complete nor aborted. */
  openUploads({ bucket }: S3Description): string[] {
    return [...this.uploads.values()].flatMap(({ objectPath }) =>
      objectPath.startsWith(`/${bucket}/`) ? [objectPath.slice(bucket.length + 2)] : [],
    );
  }

  protected override async forward({ method, path, headers, body }: SeenRequest): Promise<StoreResponse> {
    await this.buckets;
    const response = await this.fake.inject({
      method: method as Method,
      url: path,
      headers: { ...headers, 'content-length': String(body.length) },
      payload: body,
      // Otherwise the fake also decodes each body to a text.
      payloadAsStream: true,
    });
    return { status: response.statusCode, headers: response.headers, body: await bytesOf(response.stream()) };
  }

  protected override async respond(request: SeenRequest): Promise<StoreResponse> {
    const isAnonymousRead =
      request.method === 'GET' && request.headers.authorization === undefined && !request.url.search;
    const isAllowed = this.allowsAnonymousReads && isAnonymousRead;
    const rejection = isAllowed ? null : rejectionOf(request, KEYS, Date.now() + this.skewMs);
    if (rejection) return this.errorResponse(rejection.status, rejection.code);
    const { method, url } = request;
    const query = url.searchParams;
    const uploadId = query.get('uploadId') ?? '';
    if (method === 'GET' && query.has('uploads')) return this.listUploads(url);
    if (method === 'GET' && query.has('uploadId')) return this.listParts(uploadId);
    if (request.headers['if-none-match'] === '*') return this.writeIfAbsent(request);
    return this.recordUpload(request, uploadId, withOverrides(await this.forward(request), request));
  }

  private async writeIfAbsent(request: SeenRequest): Promise<StoreResponse> {
    if (!this.supportsConditions) return this.errorResponse(501, 'NotImplemented');
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
      if (head.status === 200) return this.errorResponse(412, 'PreconditionFailed');
      const { 'if-none-match': _, ...headers } = request.headers;
      const uploadId = request.url.searchParams.get('uploadId') ?? '';
      return this.recordUpload(request, uploadId, await this.forward({ ...request, headers }));
    });
    this.busy.set(
      objectPath,
      mine.catch(() => undefined),
    );
    return mine;
  }

  /** Records multipart uploads and their parts. */
  private recordUpload({ method, url, body }: SeenRequest, uploadId: string, response: StoreResponse): StoreResponse {
    if (response.status >= 300) return response;
    const query = url.searchParams;
    if (method === 'POST' && query.has('uploads')) {
      const id = /<UploadId>(.*?)<\/UploadId>/.exec(response.body.toString())?.[1] ?? '';
      this.uploads.set(id, { objectPath: url.pathname, parts: new Map() });
    } else if (method === 'PUT' && uploadId) {
      const part = { etag: String(response.headers['etag']), sizeBytes: body.length };
      this.uploads.get(uploadId)?.parts.set(Number(query.get('partNumber')), part);
    } else if (uploadId) {
      this.uploads.delete(uploadId);
    }
    return response;
  }

  private listParts(uploadId: string): StoreResponse {
    if (!this.supportsListParts) return this.errorResponse(405, 'MethodNotAllowed');
    const upload = this.uploads.get(uploadId);
    if (!upload) return this.errorResponse(404, 'NoSuchUpload');
    const parts = [...upload.parts].sort(([a], [b]) => a - b);
    return xml(
      'ListPartsResult',
      parts.map(
        ([number, { etag, sizeBytes }]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${sizeBytes}</Size></Part>`,
      ),
    );
  }

  private listUploads(url: URL): StoreResponse {
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

const xml = (element: string, items: readonly string[]): StoreResponse => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0"?><${element}><IsTruncated>false</IsTruncated>${items.join('')}</${element}>`),
});

/** Applies the `response-…` parameters, which set headers of the response. */
function withOverrides(response: StoreResponse, { method, url }: SeenRequest): StoreResponse {
  if (method !== 'GET' || response.status >= 300) return response;
  const wanted = [...url.searchParams].flatMap(([name, value]) =>
    name.startsWith('response-') ? [[name.slice('response-'.length), value] as const] : [],
  );
  return { ...response, headers: { ...response.headers, ...Object.fromEntries(wanted) } };
}
