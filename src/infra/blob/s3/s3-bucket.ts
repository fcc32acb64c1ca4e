import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { disableAwsNodeWarning } from '#infra/config/aws-node-warning';
import { type OutgoingAgents } from '#infra/network/outgoing-agents';
import { alreadyStored } from '../blob-store';
import { type S3Description } from '../store-description';
import { boundedRead, MAX_RESPONSE_BYTES, MAX_RESPONSE_MS, withDeadline } from '../streams/bounded-read';
import { s3ErrorOf, s3Unavailable } from './s3-errors';

/** The metadata by which a write recognizes its own object. */
const WRITE_ID = 'agate-write';

interface SendOptions {
  readonly abortSignal: AbortSignal;
}

/** The header that makes a write fail when the object exists. */
export interface WriteCondition {
  readonly IfNoneMatch?: '*';
}

/** A bucket and its client. Uses the description's credentials only, never those of the environment, a profile or the machine. */
export class S3Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Some S3-compatible stores reject `If-None-Match` on writes; set to false by the first such response. */
  private supportsConditions = true;

  constructor(description: S3Description, agents: OutgoingAgents) {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = description;
    this.name = bucket;
    disableAwsNodeWarning();
    this.client = new S3Client({
      ...(endpoint !== undefined && { endpoint }),
      ignoreConfiguredEndpointUrls: true,
      region,
      forcePathStyle,
      credentials: { accessKeyId, secretAccessKey },
      defaultsMode: 'standard',
      maxAttempts: 3,
      // Many S3-compatible stores do not support the newer checksums. The signature already covers the body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        httpAgent: agents.http,
        httpsAgent: agents.https,
        // The agents set the timeouts.
        connectionTimeout: 0,
        requestTimeout: 0,
        socketTimeout: 0,
      },
    });
    limitResponses(this.client);
  }

  /** Sends a small request, with a deadline of four seconds. @throws AppError storage_backend_unavailable. */
  async sendSmall<T>(request: (client: S3Client, options: SendOptions) => Promise<T>): Promise<T> {
    return this.send(() => withDeadline((abortSignal) => request(this.client, { abortSignal })));
  }

  /** Sends a request without a deadline. @throws AppError storage_backend_unavailable. */
  async send<T>(request: (client: S3Client) => Promise<T>): Promise<T> {
    try {
      return await request(this.client);
    } catch (error) {
      throw s3Unavailable(error);
    }
  }

  /** Sends a small request. Resolves with `null` when the object or the upload does not exist. */
  async sendOrNull<T>(request: (client: S3Client, options: SendOptions) => Promise<T>): Promise<T | null> {
    return this.sendSmall((client, options) => orNull(request(client, options)));
  }

  /** The metadata by which {@link create} recognizes its own object. */
  metadataOf(writeId: string): Record<string, string> {
    return { [WRITE_ID]: writeId };
  }

  /**
   * Sends the request that creates an object. When a lost response made the SDK send it twice, or when it failed although the object was
   * created, the write id in the object's metadata tells whether this write created it.
   * @throws AppError already_exists when another write created the object.
   */
  async create(key: string, writeId: string, request: (condition: WriteCondition) => Promise<unknown>): Promise<void> {
    try {
      await this.sendConditional(request);
    } catch (error) {
      const { status } = s3ErrorOf(error);
      if (![404, 409, 412].includes(status ?? 0)) throw s3Unavailable(error);
      const owner = await this.writeIdOf(key);
      if (owner === writeId) return;
      if (owner === undefined) throw s3Unavailable(error);
      throw alreadyStored(error);
    }
  }

  /** Sends a write that must not replace an object; without the condition when the store does not support it. */
  async sendConditional(request: (condition: WriteCondition) => Promise<unknown>): Promise<void> {
    if (!this.supportsConditions) return void (await request({}));
    try {
      await request({ IfNoneMatch: '*' });
    } catch (error) {
      const { status, code } = s3ErrorOf(error);
      if (status !== 501 && code !== 'NotImplemented') throw error;
      this.supportsConditions = false;
      await request({});
    }
  }

  /** The id of the write that created the object. `undefined` when there is no object, `null` when it has no id. */
  async writeIdOf(key: string): Promise<string | null | undefined> {
    const found = await this.headOf(key);
    return found ? (found.Metadata?.[WRITE_ID] ?? null) : undefined;
  }

  headOf(key: string) {
    return this.sendOrNull((client, options) =>
      client.send(new HeadObjectCommand({ Bucket: this.name, Key: key }), options),
    );
  }
}

/** Limits the responses that the client reads into memory. Blobs are excluded: the reader of a blob limits it. */
function limitResponses(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const output = await next(request);
        const response = output.response as { readonly statusCode: number; body?: unknown };
        const isBlob = commandName === GetObjectCommand.name && response.statusCode < 300;
        if (!isBlob && response.body instanceof Readable) {
          response.body = boundedRead(response.body, MAX_RESPONSE_BYTES, MAX_RESPONSE_MS);
        }
        return output;
      },
    { name: 'limitResponses', step: 'deserialize', priority: 'low' },
  );
}

const MISSING = ['NotFound', 'NoSuchKey', 'NoSuchUpload'];

/** Resolves with `null` when the object or the upload does not exist. */
export async function orNull<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (MISSING.includes(s3ErrorOf(error).code)) return null;
    throw error;
  }
}
