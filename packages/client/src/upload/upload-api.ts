import { type Client } from '../client';
import {
  type PartUrlsRequest,
  type ResumableUploadResponse,
  type StartUploadRequest,
  type UploadedBuildResponse,
} from '../generated';

/** The project that the build belongs to. */
export interface UploadScope {
  readonly organization_id: string;
  readonly project_id: string;
}

export interface UploadApiOptions {
  readonly client: Pick<Client, 'request'>;
  /** Empty with a project access token, which implies its project. */
  readonly scope: Partial<UploadScope>;
  /** `service`: parts go through this service, even when the store accepts them directly. Browsers need it. */
  readonly through?: 'service' | undefined;
}

/** The requests of one resumable upload. */
export class UploadApi {
  constructor(private readonly options: UploadApiOptions) {}

  /** A repeated call with the same key returns the upload that the first call started. */
  start(body: StartUploadRequest, idempotencyKey: string): Promise<ResumableUploadResponse> {
    const headers = { 'Idempotency-Key': idempotencyKey };
    return this.options.client.request('POST /builds/uploads', { query: this.options.scope, body, headers });
  }

  get(id: string, signal: AbortSignal): Promise<ResumableUploadResponse> {
    return this.options.client.request('GET /builds/uploads/{upload_id}', { ...this.of(id), signal });
  }

  /** The addresses that accept the parts for the next half hour, by part number. At most 100 per request. */
  async partUrls(
    id: string,
    partNumbers: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const { through } = this.options;
    const body: PartUrlsRequest = { part_numbers: partNumbers, ...(through && { through }) };
    const { urls } = await this.options.client.request('POST /builds/uploads/{upload_id}/part-urls', {
      ...this.of(id),
      body,
      signal,
    });
    return new Map(urls.map(({ part_number: number, url }) => [number, url]));
  }

  complete(id: string, signal: AbortSignal): Promise<UploadedBuildResponse> {
    return this.options.client.request('POST /builds/uploads/{upload_id}/complete', { ...this.of(id), signal });
  }

  async drop(id: string): Promise<void> {
    await this.options.client.request('DELETE /builds/uploads/{upload_id}', this.of(id));
  }

  private of(id: string): { path: { upload_id: string }; query: Partial<UploadScope> } {
    return { path: { upload_id: id }, query: this.options.scope };
  }
}
