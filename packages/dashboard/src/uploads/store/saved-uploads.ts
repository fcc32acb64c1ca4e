import { type FileFacts } from '@agate/client';

/** The data of an upload that must survive a reload. It holds no secret: the session opens the upload again. */
export interface SavedUpload {
  readonly key: string;
  readonly developerId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly uploadId: string;
  readonly file: FileFacts;
  readonly handle: FileSystemFileHandle | null;
  readonly notes: string;
  readonly channelId: string;
}

const DATABASE = 'agate';
const STORE = 'uploads';

/** The unfinished uploads of this browser, in IndexedDB. Without it (private windows of some browsers) nothing is kept. */
export class SavedUploads {
  private opened: Promise<IDBDatabase> | null = null;

  async list(): Promise<readonly SavedUpload[]> {
    return (await this.run('readonly', (store) => store.getAll() as IDBRequest<SavedUpload[]>)) ?? [];
  }

  async put(upload: SavedUpload): Promise<void> {
    await this.run('readwrite', (store) => store.put(upload));
  }

  async delete(key: string): Promise<void> {
    await this.run('readwrite', (store) => store.delete(key));
  }

  private async run<Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result | null> {
    try {
      const database = await (this.opened ??= open());
      return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
    } catch {
      return null;
    }
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  return settled(request);
}

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed.'));
  });
