import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type OutgoingAgents } from '#infra/network/outgoing-agents';
import { alreadyStored } from '../blob-store';
import { bounded, MAX_ANSWER_BYTES, MAX_ANSWER_MS } from '../streams/bounded-read';
import { withDeadline } from '../streams/deadline';
import { s3Unavailable, s3ErrorOf } from './s3-errors';
import { type S3Description } from '../store-description';

/** The metadata that tells a write its own blob from another's. */
const WRITE_ID = 'agate-write';

interface SendOptions {
  readonly abortSignal: AbortSignal;
}

/** The header that lets a request only make a new object. */
export interface OnlyNew {
  readonly IfNoneMatch?: '*';
}

/**
 * A bucket and the client that reaches it, with the credentials of the description and no other: none from the environment, a
 * profile, or the machine's own identity.
 */
export class S3Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Some S3-compatible stores do not know `If-None-Match` when they write; they say so once. */
  private knowsOnlyNew = true;

  constructor(description: S3Description, agents: OutgoingAgents) {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = description;
    this.name = bucket;
    this.client = new S3Client({
      ...(endpoint !== undefined && { endpoint }),
      ignoreConfiguredEndpointUrls: true,
      region,
      forcePathStyle,
      credentials: { accessKeyId, secretAccessKey },
      defaultsMode: 'standard',
      maxAttempts: 3,
      // The newer checksums are unknown to many that speak S3. Bodies are covered by the signature.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        httpAgent: agents.http,
        httpsAgent: agents.https,
        // The agents limit connecting and silence.
        connectionTimeout: 0,
        requestTimeout: 0,
        socketTimeout: 0,
      },
    });
    boundAnswers(this.client);
  }

  /** Sends a small request, which has four seconds; its failures are the store's. */
  async quick<T>(send: (client: S3Client, options: SendOptions) => Promise<T>): Promise<T> {
    return this.long(() => withDeadline((abortSignal) => send(this.client, { abortSignal })));
  }

  /** Sends a request that may take long; its failures are the store's. */
  async long<T>(send: (client: S3Client) => Promise<T>): Promise<T> {
    try {
      return await send(this.client);
    } catch (error) {
      throw s3Unavailable(error);
    }
  }

  /** The same, null where the object or the upload is not there. */
  async quickOrNull<T>(send: (client: S3Client, options: SendOptions) => Promise<T>): Promise<T | null> {
    return this.quick((client, options) => orNull(send(client, options)));
  }

  /** The metadata of a new object, by which {@link makeNew} knows it again. */
  metadataOf(writeId: string): Record<string, string> {
    return { [WRITE_ID]: writeId };
  }

  /**
   * Sends what makes a new object. An answer can get lost and the request be sent again, or end in an error though the object was
   * made; then the object itself tells whose it is.
   * @throws AppError already_exists when the key is another's.
   */
  async makeNew(key: string, writeId: string, send: (condition: OnlyNew) => Promise<unknown>): Promise<void> {
    try {
      await this.sendOnlyNew(send);
    } catch (error) {
      const { status } = s3ErrorOf(error);
      if (![404, 409, 412].includes(status ?? 0)) throw s3Unavailable(error);
      const owner = await this.writeIdOf(key);
      if (owner === writeId) return;
      if (owner === undefined) throw s3Unavailable(error);
      throw alreadyStored(error);
    }
  }

  /** Sends it with the condition, and without when the store does not know that. */
  async sendOnlyNew(send: (condition: OnlyNew) => Promise<unknown>): Promise<void> {
    if (!this.knowsOnlyNew) return void (await send({}));
    try {
      await send({ IfNoneMatch: '*' });
    } catch (error) {
      const { status, code } = s3ErrorOf(error);
      if (status !== 501 && code !== 'NotImplemented') throw error;
      this.knowsOnlyNew = false;
      await send({});
    }
  }

  /** Whose an object is: undefined when there is none, null when nobody says. */
  async writeIdOf(key: string): Promise<string | null | undefined> {
    const found = await this.headOf(key);
    return found ? (found.Metadata?.[WRITE_ID] ?? null) : undefined;
  }

  headOf(key: string) {
    return this.quickOrNull((client, options) =>
      client.send(new HeadObjectCommand({ Bucket: this.name, Key: key }), options),
    );
  }
}

/** Bounds what the client takes into memory. A blob is bounded by whoever reads it. */
function boundAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const answer = await next(request);
        const response = answer.response as { readonly statusCode: number; body?: unknown };
        const isBlob = commandName === GetObjectCommand.name && response.statusCode < 300;
        if (!isBlob && response.body instanceof Readable) {
          response.body = bounded(response.body, MAX_ANSWER_BYTES, MAX_ANSWER_MS);
        }
        return answer;
      },
    { name: 'boundAnswers', step: 'deserialize', priority: 'low' },
  );
}

const MISSING = ['NotFound', 'NoSuchKey', 'NoSuchUpload'];

/** What it resolves with, or null where the object or the upload is not there. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (MISSING.includes(s3ErrorOf(error).code)) return null;
    throw error;
  }
}
