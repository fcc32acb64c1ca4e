import {
  type Client,
  describesItself,
  type FileFacts,
  type PartSender,
  ResumableUpload,
  type SendingSlots,
  type UploadFields,
} from '@agate/client';
import { browserNetwork } from '../browser/browser-network';
import { randomUuid } from '../browser/random-uuid';
import { type SavedUpload, type SavedUploads } from './saved-uploads';
import { Speed } from './speed';
import {
  refusalOf,
  scopeOf,
  type UploadedBuild,
  type UploadEdits,
  type UploadItem,
  type UploadTarget,
} from './upload-item';

/** The state that all rows share. */
export interface UploadServices {
  readonly client: Pick<Client, 'request'>;
  readonly slots: SendingSlots;
  readonly saved: SavedUploads;
  /** The maximum file size of the service; null when it is unknown. */
  readonly maxUploadBytes: () => Promise<number | null>;
  /** Called when a project has another build, or one of its builds has changed. */
  readonly buildChanged: (target: UploadTarget) => void;
}

export interface UploadRowOptions {
  readonly target: UploadTarget;
  readonly developerId: string;
  readonly file: FileFacts;
  readonly sender: PartSender;
  readonly isFolder?: boolean;
  readonly handle?: Promise<FileSystemFileHandle | null>;
  /** The interrupted upload that this row continues. */
  readonly saved?: SavedUpload;
}

const NO_EDITS: UploadEdits = { notes: '', channelId: '', version: '', platform: '' };

/** One upload of this tab: the file, and the reader's texts about it. */
export class UploadRow {
  readonly key: string;
  private readonly upload: ResumableUpload;
  private edits: UploadEdits;
  private refusal: unknown = null;
  private isWaitingForDetails: boolean;
  private handle: FileSystemFileHandle | null = null;
  private savedNotes = '';
  private promotedTo = '';
  private followUpError: UploadItem['followUpError'] = null;
  private hasFollowedUp = false;
  private followUps: Promise<void> = Promise.resolve();
  private keptUploadId: string | null = null;
  private shown: UploadItem | null = null;
  private readonly speed = new Speed();

  constructor(
    private readonly options: UploadRowOptions,
    private readonly services: UploadServices,
    private readonly changed: () => void,
  ) {
    const { target, file, sender, saved } = options;
    this.key = saved?.key ?? randomUuid();
    this.edits = { ...NO_EDITS, ...(saved && { notes: saved.notes, channelId: saved.channelId }) };
    this.isWaitingForDetails = !saved && !options.isFolder && !describesItself(file.name);
    this.upload = new ResumableUpload({
      client: services.client,
      scope: scopeOf(target),
      through: 'service',
      file,
      sender,
      newKey: randomUuid,
      uploadId: saved?.uploadId ?? null,
      network: browserNetwork,
      slots: services.slots,
    });
    this.upload.subscribe(() => this.moved());
    void options.handle?.then((handle) => {
      this.handle = handle;
      this.keep();
    });
  }

  get item(): UploadItem {
    return (this.shown ??= this.view());
  }

  /** Sends the file, unless the reader must first supply its version and platform. */
  async begin(): Promise<void> {
    const { file, isFolder = false } = this.options;
    this.refusal = refusalOf(file, isFolder, isFolder ? null : await this.services.maxUploadBytes());
    if (this.refusal) this.isWaitingForDetails = false;
    else if (!this.isWaitingForDetails) this.upload.start(this.fields());
    this.change();
  }

  /** Starts after the reader supplied version and platform, or again after a failure. */
  start(): void {
    this.isWaitingForDetails = false;
    this.upload.start(this.fields());
    this.change();
  }

  pause(): void {
    this.upload.pause();
  }

  resume(): void {
    this.upload.resume();
  }

  async discard(): Promise<void> {
    await this.services.saved.delete(this.key);
    await this.upload.discard();
    await this.services.saved.delete(this.key);
  }

  edit(edits: Partial<UploadEdits>): void {
    this.edits = { ...this.edits, ...edits };
    this.change();
    this.keep();
  }

  /** Saves the typed notes, if the build exists and has others. */
  saveNotes(): Promise<void> {
    return this.followUp('notes', async () => {
      const { build } = this.upload.snapshot;
      const { notes } = this.edits;
      if (!build || notes === this.savedNotes) return;
      const request = {
        path: { build_id: build.id },
        query: scopeOf(this.options.target),
        body: { notes: notes.trim() || null },
      };
      await this.services.client.request('PATCH /builds/{build_id}', request);
      this.savedNotes = notes;
      this.services.buildChanged(this.options.target);
    });
  }

  /** Promotes the build to the chosen channel, if it exists and was not promoted there. */
  promote(): Promise<void> {
    return this.followUp('promotion', async () => {
      const { build } = this.upload.snapshot;
      const { channelId } = this.edits;
      if (!build || channelId === '' || channelId === this.promotedTo) return;
      const headers = { 'Idempotency-Key': randomUuid() };
      const query = { ...scopeOf(this.options.target), channel_id: channelId };
      await this.services.client.request('POST /releases', { query, body: { build_id: build.id }, headers });
      this.promotedTo = channelId;
      this.services.buildChanged(this.options.target);
    });
  }

  /** Changes the build after the changes that were requested before, so that a second press of a button finds the work done. */
  private followUp(of: 'notes' | 'promotion', work: () => Promise<void>): Promise<void> {
    this.followUps = this.followUps.then(async () => {
      try {
        await work();
        if (this.followUpError?.of === of) this.followUpError = null;
      } catch (error) {
        this.followUpError = { of, error };
      }
      this.change();
    });
    return this.followUps;
  }

  private moved(): void {
    const { state, build, uploadId, sentBytes } = this.upload.snapshot;
    if (state === 'sending') this.speed.note(sentBytes);
    else this.speed.reset();
    this.change();
    if (state === 'done' && build && !this.hasFollowedUp) void this.finish(build);
    else if (uploadId !== this.keptUploadId) this.keep();
  }

  /** The text that was typed while the file was sent is saved now. After an earlier reload, the work continues here. */
  private async finish(build: UploadedBuild): Promise<void> {
    this.hasFollowedUp = true;
    this.savedNotes = build.notes ?? '';
    this.services.buildChanged(this.options.target);
    await this.saveNotes();
    await this.promote();
    await this.services.saved.delete(this.key);
  }

  /** Stores the data that must survive a reload, and removes it when the service no longer has the upload. */
  private keep(): void {
    const { target, developerId, file } = this.options;
    const { uploadId, state } = this.upload.snapshot;
    if (state === 'done' || state === 'discarded') return;
    this.keptUploadId = uploadId;
    const { notes, channelId } = this.edits;
    const record = { key: this.key, developerId, ...target, file, handle: this.handle, notes, channelId };
    void (uploadId === null ? this.services.saved.delete(this.key) : this.services.saved.put({ ...record, uploadId }));
  }

  private fields(): UploadFields {
    const { version, platform } = this.edits;
    return { ...(version && { version }), ...(platform && { platform }) };
  }

  private change(): void {
    this.shown = null;
    this.changed();
  }

  private view(): UploadItem {
    const { target, developerId, file } = this.options;
    const { state, sentBytes, isFlowing, build, error } = this.upload.snapshot;
    const { edits, promotedTo, followUpError } = this;
    return {
      key: this.key,
      target,
      developerId,
      file,
      state: this.refusal ? 'failed' : this.isWaitingForDetails ? 'details' : state,
      sentBytes,
      isFlowing,
      bytesPerSecond: this.speed.bytesPerSecond,
      build,
      error: this.refusal ?? error,
      edits,
      hasUnsavedNotes: build !== null && edits.notes !== this.savedNotes,
      promotedTo,
      followUpError,
    };
  }
}
