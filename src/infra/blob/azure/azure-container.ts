import {
  BlobServiceClient,
  type BlockBlobClient,
  type ContainerClient,
  newPipeline,
  type StoragePipelineOptions,
  StorageRetryPolicyType,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { type AppError } from '#kernel/errors/app-error';
import { type OutgoingAgents } from '#infra/network/outgoing-agents';
import { InjectorPolicyFactory } from './azure-bounds';
import { azureErrorOf, azureUnavailable } from './azure-errors';
import { alreadyStored } from '../blob-store';
import { withDeadline } from '../streams/deadline';
import { storeUnavailable } from '../store-errors';
import { type AzureDescription } from '../store-description';

/** The metadata that tells a write its own blob from another's; names of metadata are identifiers. */
const WRITE_ID = 'agatewrite';
/** Of the error that a commit of blocks gives which another commit has thrown away. */
const BLOCKS_GONE = 'InvalidBlockList';

/** The condition that lets a request only make a new blob. */
export const ONLY_NEW = { ifNoneMatch: '*' };

/** What the pipeline takes beside what the storage client's type says: core-rest-pipeline's own options. */
interface PipelineOptions extends StoragePipelineOptions {
  readonly agent: unknown;
  readonly redirectOptions: { readonly maxRetries: number };
}

/** A container and the client that reaches it, with the account key of the description and no other credential. */
export class AzureContainer {
  readonly client: ContainerClient;

  /** @throws AppError storage_backend_unavailable for a connection string that cannot be used, or is without an account key. */
  constructor({ connectionString, container }: AzureDescription, agents: OutgoingAgents) {
    const { url, credential } = service(connectionString);
    if (!(credential instanceof StorageSharedKeyCredential)) throw unusable('It has no account key.');
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

  /** Sends a small request, which has four seconds; its failures are the store's. */
  async quick<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    return this.long(() => withDeadline((abortSignal) => send({ abortSignal })));
  }

  /** Sends a request that may take long; its failures are the store's. */
  async long<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw azureUnavailable(error);
    }
  }

  /** As `quick`, null where the blob is not there. */
  async quickOrNull<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T | null> {
    return this.quick(async (options) => {
      try {
        return await send(options);
      } catch (error) {
        if (azureErrorOf(error).code === 'BlobNotFound') return null;
        throw error;
      }
    });
  }

  metadataOf(writeId: string): Record<string, string> {
    return { [WRITE_ID]: writeId };
  }

  /**
   * Sends what makes a new blob. An answer can get lost and the request be sent again, or end in an error though the blob was
   * made; then the blob itself tells whose it is.
   * @throws AppError already_exists when the key is another's.
   */
  async makeNew(key: string, writeId: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
    } catch (error) {
      const { status, code } = azureErrorOf(error);
      if (status !== 409 && status !== 412 && code !== BLOCKS_GONE) throw azureUnavailable(error);
      const owner = await this.writeIdOf(key);
      if (owner === writeId) return;
      if (owner === undefined) throw azureUnavailable(error);
      throw alreadyStored(error);
    }
  }

  /** Whose a blob is: undefined when there is none, null when nobody says. */
  async writeIdOf(key: string): Promise<string | null | undefined> {
    const found = await this.propertiesOf(key);
    return found ? (found.metadata?.[WRITE_ID] ?? null) : undefined;
  }

  /** Null for a blob that is still being copied, too: it is not whole. */
  async propertiesOf(key: string) {
    const found = await this.quickOrNull((options) => this.blob(key).getProperties(options));
    return found && isWhole(found.copyStatus) ? found : null;
  }

  /** Throws away what is staged under a name: a commit of nothing, and the empty blob that it makes. */
  async dropStaged(name: string): Promise<void> {
    const blob = this.blob(name);
    try {
      const { etag } = await this.quick((options) => blob.commitBlockList([], { ...options, conditions: ONLY_NEW }));
      await this.quickOrNull((options) => blob.delete({ ...options, conditions: { ifMatch: etag } }));
    } catch (error) {
      // There is a blob, and so nothing staged for a new one.
      if ((await this.propertiesOf(name)) === null) throw error;
    }
  }
}

export const isWhole = (copyStatus: string | undefined): boolean =>
  copyStatus === undefined || copyStatus === 'success';

/** Blocks are known by names of one length. */
export const blockIdOf = (partNumber: number, writeId = ''): string =>
  Buffer.from(`${writeId}${String(partNumber).padStart(6, '0')}`).toString('base64');

export const partNumberOf = (blockId: string): number => Number(Buffer.from(blockId, 'base64').toString().slice(-6));

function service(connectionString: string): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connectionString);
  } catch {
    throw unusable('It is malformed.');
  }
}

const unusable = (message: string): AppError =>
  storeUnavailable(
    { code: 'InvalidConnectionString', status: undefined, message },
    {
      InvalidConnectionString: 'credentials',
    },
  );
