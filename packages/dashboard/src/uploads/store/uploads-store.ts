import { ApiError, isSameFile, type ResumableUploadResponse } from '@agate/client';
import { type ChosenFile, factsOf, fileBehind } from '../browser/files';
import { NO_PARTS, XhrPartSender } from '../browser/xhr-part-sender';
import { OtherTabs } from './other-tabs';
import { type SavedUpload } from './saved-uploads';
import {
  type RoutedFiles,
  scopeOf,
  type UnfinishedItem,
  type UploadEdits,
  type UploadItem,
  type UploadTarget,
} from './upload-item';
import { UploadRow, type UploadServices } from './upload-row';

/** All uploads of this tab. A new object after each change. */
export interface UploadsSnapshot {
  readonly items: readonly UploadItem[];
  readonly unfinished: readonly UnfinishedItem[];
  readonly routed: RoutedFiles | null;
}

interface Interrupted {
  readonly saved: SavedUpload;
  readonly arrivedBytes: number | null;
  readonly isComplete: boolean;
  readonly isOtherFile: boolean;
}

/** Progress is shown ten times a second. */
const REFRESH_MS = 100;

/** The uploads of this tab, and those that a reload has interrupted. They survive every change of screen. */
export class UploadsStore {
  private rows: readonly UploadRow[] = [];
  private routed: RoutedFiles | null = null;
  private interrupted: readonly Interrupted[] = [];
  private snapshot: UploadsSnapshot = { items: [], unfinished: [], routed: null };
  private readonly listeners = new Set<() => void>();
  private refresh: ReturnType<typeof setTimeout> | null = null;
  private readonly tabs = new OtherTabs(() => this.rows.map(({ key }) => key));

  constructor(private readonly services: UploadServices) {}

  readonly getSnapshot = (): UploadsSnapshot => this.snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Whether bytes are being sent now. */
  get isFlowing(): boolean {
    return this.rows.some(({ item }) => item.isFlowing);
  }

  /** Adds a row for each file, and sends the files that need no further input. */
  add(files: readonly ChosenFile[], target: UploadTarget, developerId: string): void {
    const rows = files.map(({ file, handle, isFolder }) => {
      const sender = new XhrPartSender(file);
      return this.row({ target, developerId, file: factsOf(file), sender, handle, isFolder });
    });
    this.rows = [...this.rows, ...rows];
    this.publish();
    for (const row of rows) void row.begin();
  }

  /** Asks for the project of files. Null ends the question. */
  route(routed: RoutedFiles | null): void {
    this.routed = routed;
    this.publish();
  }

  start(key: string): void {
    this.find(key)?.start();
  }

  pause(key: string): void {
    this.find(key)?.pause();
  }

  resume(key: string): void {
    this.find(key)?.resume();
  }

  edit(key: string, edits: Partial<UploadEdits>): void {
    this.find(key)?.edit(edits);
    // Typed text is shown immediately, even while progress is throttled: a field whose value lags behind loses characters.
    this.publish();
  }

  saveNotes(key: string): void {
    void this.find(key)?.saveNotes();
  }

  promote(key: string): void {
    void this.find(key)?.promote();
  }

  /** Removes the row, and stops its upload unless it has ended. */
  remove(key: string): void {
    void this.find(key)?.discard();
    this.rows = this.rows.filter((row) => row.key !== key);
    this.publish();
  }

  /** Resumes the uploads that the end of the session interrupted. */
  retryAfterLogin(): void {
    for (const row of this.rows) {
      if (row.item.error instanceof ApiError && row.item.error.status === 401) row.start();
    }
  }

  /** Finds the developer's uploads that a reload has interrupted. Uploads that no longer exist at the service are removed. */
  async findInterrupted(developerId: string): Promise<void> {
    const all = (await this.services.saved.list()).filter((saved) => saved.developerId === developerId);
    const elsewhere = all.length > 0 ? await this.tabs.held() : new Set<string>();
    const found = await Promise.all(
      all.filter(({ key }) => !elsewhere.has(key)).map((saved) => this.interruptedOf(saved)),
    );
    this.interrupted = found.filter((one) => one !== null).filter(({ saved }) => !this.find(saved.key));
    this.publish();
  }

  /**
   * Continues an interrupted upload with the file behind its handle, if the browser kept one.
   * Returns whether the reader has to choose the file.
   */
  async continue(key: string): Promise<'continued' | 'choose'> {
    const one = this.interrupted.find(({ saved }) => saved.key === key);
    if (!one) return 'continued';
    if (one.isComplete) {
      this.resumeRow(one.saved, null);
      return 'continued';
    }
    const file = one.saved.handle && (await fileBehind(one.saved.handle));
    if (!file || !isSameFile(one.saved.file, factsOf(file))) return 'choose';
    this.resumeRow(one.saved, file);
    return 'continued';
  }

  /** Whether the file behind an interrupted upload must be chosen in the file chooser. */
  needsChoice(key: string): boolean {
    const one = this.interrupted.find(({ saved }) => saved.key === key);
    return one !== undefined && !one.isComplete && one.saved.handle === null;
  }

  /** Continues with a file that the reader has chosen. A file other than the original one is not sent. */
  continueWith(key: string, { file }: ChosenFile): void {
    const one = this.interrupted.find(({ saved }) => saved.key === key);
    if (!one) return;
    if (isSameFile(one.saved.file, factsOf(file))) return this.resumeRow(one.saved, file);
    this.interrupted = this.interrupted.map((other) => (other === one ? { ...one, isOtherFile: true } : other));
    this.publish();
  }

  /** Drops an interrupted upload, also at the service. */
  async discardInterrupted(key: string): Promise<void> {
    const one = this.interrupted.find(({ saved }) => saved.key === key);
    if (!one) return;
    this.forget(key);
    const request = { path: { upload_id: one.saved.uploadId }, query: scopeOf(one.saved) };
    // If this request fails, the upload expires a day later.
    await this.services.client.request('DELETE /builds/uploads/{upload_id}', request).catch(() => undefined);
    await this.services.saved.delete(key);
  }

  private resumeRow(saved: SavedUpload, file: File | null): void {
    const { developerId, organizationId, projectId } = saved;
    const row = this.row({
      target: { organizationId, projectId },
      developerId,
      file: saved.file,
      sender: file ? new XhrPartSender(file) : NO_PARTS,
      handle: Promise.resolve(saved.handle),
      saved,
    });
    this.rows = [...this.rows, row];
    this.forget(saved.key);
    void row.begin();
  }

  private async interruptedOf(saved: SavedUpload): Promise<Interrupted | null> {
    const request = { path: { upload_id: saved.uploadId }, query: scopeOf(saved) };
    try {
      const upload = await this.services.client.request('GET /builds/uploads/{upload_id}', request);
      return { saved, arrivedBytes: arrivedBytesOf(upload), isComplete: isComplete(upload), isOtherFile: false };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found')
        return { saved, arrivedBytes: null, isComplete: false, isOtherFile: false };
      await this.services.saved.delete(saved.key);
      return null;
    }
  }

  private row(options: ConstructorParameters<typeof UploadRow>[0]): UploadRow {
    let state: UploadItem['state'] | null = null;
    const row: UploadRow = new UploadRow(options, this.services, () => {
      const isProgress = row.item.state === state;
      state = row.item.state;
      if (isProgress && row.item.isFlowing) this.publishSoon();
      else this.publish();
    });
    return row;
  }

  private find(key: string): UploadRow | undefined {
    return this.rows.find((row) => row.key === key);
  }

  private forget(key: string): void {
    this.interrupted = this.interrupted.filter(({ saved }) => saved.key !== key);
    this.publish();
  }

  private publishSoon(): void {
    this.refresh ??= setTimeout(() => this.publish(), REFRESH_MS);
  }

  private publish(): void {
    if (this.refresh !== null) clearTimeout(this.refresh);
    this.refresh = null;
    this.snapshot = {
      items: this.rows.map(({ item }) => item),
      unfinished: this.interrupted.map(unfinishedOf),
      routed: this.routed,
    };
    for (const listener of [...this.listeners]) listener();
  }
}

const unfinishedOf = ({ saved, arrivedBytes, isOtherFile }: Interrupted): UnfinishedItem => ({
  key: saved.key,
  target: { organizationId: saved.organizationId, projectId: saved.projectId },
  file: saved.file,
  sentBytes: arrivedBytes,
  isOtherFile,
});

const arrivedBytesOf = ({ parts }: ResumableUploadResponse): number =>
  parts.reduce((sum, part) => sum + (part.arrived ? part.size_bytes : 0), 0);

const isComplete = ({ parts }: ResumableUploadResponse): boolean => parts.every(({ arrived }) => arrived);
