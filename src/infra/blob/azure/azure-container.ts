import { type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  BlobServiceClient,
  type BlockBlobClient,
  type ContainerClient,
  type HttpOperationResponse,
  newPipeline,
  type RequestPolicy,
  type RequestPolicyFactory,
  type StoragePipelineOptions,
  StorageRetryPolicyType,
  StorageSharedKeyCredential,
  type WebResource,
} from '@azure/storage-blob';
import { type AppError } from '#kernel/errors/app-error';
import { type OutgoingAgents } from '#infra/network/outgoing-agents';
import { alreadyStored } from '../blob-store';
import { type AzureDescription } from '../store-description';
import { storeUnavailable } from '../store-errors';
import { boundedRead, MAX_RESPONSE_BYTES, MAX_RESPONSE_MS, withDeadline } from '../streams/bounded-read';
import { azureErrorOf, azureUnavailable } from './azure-errors';

/** The metadata by which a write recognizes its own blob. Azure requires an identifier as its name. */
const WRITE_ID = 'agatewrite';
/** The error code of a commit of blocks that another commit has discarded. */
const BLOCKS_GONE = 'InvalidBlockList';

/** The condition that makes a write fail when the blob exists. */
export const IF_ABSENT = { ifNoneMatch: '*' };

/** The pipeline also accepts options of core-rest-pipeline, which `StoragePipelineOptions` does not declare. */
interface PipelineOptions extends StoragePipelineOptions {
  readonly agent: unknown;
  readonly redirectOptions: { readonly maxRetries: number };
}

/** A container and its client. Uses the description's account key and no other credential. */
export class AzureContainer {
  readonly client: ContainerClient;

  /** @throws AppError storage_backend_unavailable when the connection string is malformed or has no account key. */
  constructor({ connectionString, container }: AzureDescription, agents: OutgoingAgents) {
    const { url, credential } = service(connectionString);
    if (!(credential instanceof StorageSharedKeyCredential)) throw unusable('The connection string has no account key');
    const options: PipelineOptions = {
      agent: agents.agentFor(url),
      redirectOptions: { maxRetries: 0 },
      retryOptions: {
        retryPolicyType: StorageRetryPolicyType.EXPONENTIAL,
        maxTries: 3,
        retryDelayInMs: 100,
        maxRetryDelayInMs: 2_000,
      },
    };
    const pipeline = newPipeline(credential, options);
    pipeline.factories.push(new InjectorPolicyFactory());
    this.client = new BlobServiceClient(url, pipeline).getContainerClient(container);
  }

  blob(name: string): BlockBlobClient {
    return this.client.getBlockBlobClient(name);
  }

  /** Sends a small request, with a deadline of four seconds. @throws AppError storage_backend_unavailable. */
  async sendSmall<T>(request: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    return this.send(() => withDeadline((abortSignal) => request({ abortSignal })));
  }

  /** Sends a request without a deadline. @throws AppError storage_backend_unavailable. */
  async send<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw azureUnavailable(error);
    }
  }

  /** Sends a small request. Resolves with `null` when the blob does not exist. */
  async sendOrNull<T>(request: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T | null> {
    return this.sendSmall(async (options) => {
      try {
        return await request(options);
      } catch (error) {
        if (azureErrorOf(error).code === 'BlobNotFound') return null;
        throw error;
      }
    });
  }

  /** The metadata by which {@link create} recognizes its own blob. */
  metadataOf(writeId: string): Record<string, string> {
    return { [WRITE_ID]: writeId };
  }

  /**
   * Sends the request that creates a blob. When a lost response made the SDK send it twice, or when it failed although the blob was
   * created, the write id in the blob's metadata tells whether this write created it.
   * @throws AppError already_exists when another write created the blob.
   */
  async create(key: string, writeId: string, request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      const { status, code } = azureErrorOf(error);
      if (status !== 409 && status !== 412 && code !== BLOCKS_GONE) throw azureUnavailable(error);
      const owner = await this.writeIdOf(key);
      if (owner === writeId) return;
      if (owner === undefined) throw azureUnavailable(error);
      throw alreadyStored(error);
    }
  }

  /** The id of the write that created the blob. `undefined` when there is no blob, `null` when it has no id. */
  async writeIdOf(key: string): Promise<string | null | undefined> {
    const found = await this.propertiesOf(key);
    return found ? (found.metadata?.[WRITE_ID] ?? null) : undefined;
  }

  /** `null` when the blob does not exist or is still being copied. */
  async propertiesOf(key: string) {
    const found = await this.sendOrNull((options) => this.blob(key).getProperties(options));
    return found && isComplete(found.copyStatus) ? found : null;
  }

  /** Discards uncommitted blocks: commits an empty block list, and deletes the empty blob that this creates. */
  async discardBlocks(name: string): Promise<void> {
    const blob = this.blob(name);
    try {
      const { etag } = await this.sendSmall((options) =>
        blob.commitBlockList([], { ...options, conditions: IF_ABSENT }),
      );
      await this.sendOrNull((options) => blob.delete({ ...options, conditions: { ifMatch: etag } }));
    } catch (error) {
      // When the blob exists, its commit has already discarded the blocks.
      if ((await this.propertiesOf(name)) === null) throw error;
    }
  }
}

/** Whether a blob is not the target of an unfinished copy. */
export const isComplete = (copyStatus: string | undefined): boolean =>
  copyStatus === undefined || copyStatus === 'success';

/** Azure requires block ids of equal length. */
export const blockIdOf = (partNumber: number, writeId = ''): string =>
  Buffer.from(`${writeId}${String(partNumber).padStart(6, '0')}`).toString('base64');

export const partNumberOf = (blockId: string): number => Number(Buffer.from(blockId, 'base64').toString().slice(-6));

/**
 * Limits the responses that the client reads into memory. Blobs are excluded: the reader of a blob limits it.
 *
 * The SDK recognizes this class name: such a policy runs for each attempt, before the response is parsed.
 */
class InjectorPolicyFactory implements RequestPolicyFactory {
  create(next: RequestPolicy): RequestPolicy {
    return { sendRequest: (request) => sendLimited(next, request) };
  }
}

/** Requests all responses as streams, for every status, and reads all but blobs into memory within the limits. */
async function sendLimited(next: RequestPolicy, request: WebResource): Promise<HttpOperationResponse> {
  const streamed = request.streamResponseStatusCodes;
  request.streamResponseStatusCodes = new Set([Infinity]);
  const response = await next.sendRequest(request);
  request.streamResponseStatusCodes = streamed;
  const body = response.readableStreamBody as Readable | undefined;
  if (!body || streamed?.has(response.status)) return response;
  response.bodyAsText = await text(boundedRead(body, MAX_RESPONSE_BYTES, MAX_RESPONSE_MS));
  response.readableStreamBody = undefined;
  return response;
}

function service(connectionString: string): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connectionString);
  } catch {
    throw unusable('The connection string is malformed');
  }
}

const unusable = (message: string): AppError =>
  storeUnavailable(
    { code: 'InvalidConnectionString', status: undefined, message },
    {
      InvalidConnectionString: 'credentials',
    },
  );
