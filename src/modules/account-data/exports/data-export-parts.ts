import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { type ExportedFile } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { OwnerDatabase, type OwnerSession } from '#infra/database/roles/owner-database';
import { Transactions } from '#infra/database/transactions';
import { HOSTED, StorageService } from '#modules/storage';
import { BEGINNING, ExportedRows, type ExportedText } from '../exported-rows';
import { type Subject } from '../subjects.service';
import { type DataExport, type ExportedSoFar, type ExportProgress, partKeyOf } from './data-export';
import { DataExportsRepository } from './data-exports.repository';

/** A part ends after this many characters: a second of work, which is repeated when a process is killed. */
const PART_LENGTH = 16_000_000;
/** A job reads this many rows. The next one waits in line with the jobs of other organizations. */
const ROWS_PER_JOB = 100_000;
/** The parts are read once and then deleted, so they are compressed fast, not well. */
const COMPRESSION = { level: 1 };

const NOTHING: ExportedSoFar = { ...BEGINNING, parts: [], isComplete: false };

/** An export whose files are not read completely. */
type Running = Pick<DataExport, 'id' | 'progress'>;

/**
 * Reads the files of an export into parts in the hosted store. The row of the export has the position after the last part, so a process that
 * is killed repeats one part at most.
 */
@Injectable()
export class DataExportParts {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly exported: ExportedRows,
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Reads for as long as one job may.
   * @returns what was read so far; null when the export no longer exists, or another process has continued it.
   */
  async read(
    ctx: RequestContext,
    subject: Subject,
    running: Running,
    signal: AbortSignal,
  ): Promise<ExportProgress | null> {
    let progress = await this.begin(ctx, running);
    return this.owner.applicationSession(ctx, async ({ client }) => {
      for (let rows = 0; progress && rows < ROWS_PER_JOB && !signal.aborted;) {
        const file = this.fileAfter(subject, progress);
        if (!file) break;
        const before = progress;
        const part = await this.write(ctx, client, { subject, file, progress: before });
        rows += part.rows - (before.files[file.name] ?? NOTHING).rows;
        progress = await this.save(ctx, running.id, before, withPart(before, file, part));
      }
      return progress;
    });
  }

  /** Whether all files were read. */
  isComplete(subject: Subject, progress: ExportProgress): boolean {
    return this.fileAfter(subject, progress) === null;
  }

  /** The text of a file. Empty when nothing of it was read. */
  async *textOf(ctx: RequestContext, { parts }: ExportedSoFar): AsyncGenerator<Buffer> {
    const store = await this.storage.storeOf(ctx, HOSTED);
    for (const part of parts) {
      const text = createGunzip();
      // The reader of `text` gets the error.
      pipeline(await store.read(partKeyOf(part)), text).catch(() => undefined);
      yield* text as AsyncIterable<Buffer>;
    }
  }

  private fileAfter(subject: Subject, { files }: ExportProgress): ExportedFile | null {
    return this.exported.filesOf(subject).find(({ name }) => !files[name]?.isComplete) ?? null;
  }

  /**
   * A process that was killed may have written the next part, so the part gets another id. No two processes write parts of the same id.
   */
  private async begin(ctx: RequestContext, { id, progress }: Running): Promise<ExportProgress | null> {
    const begun = { ...(progress ?? { since: ctx.clock.now().toISOString(), files: {}, bytes: 0 }), next: newId() };
    return this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.saveProgress(tx, id, progress, begun))) return null;
      if (progress) await this.storage.deleteLater(tx, { account: HOSTED, key: partKeyOf(progress.next) });
      return begun;
    });
  }

  private async write(
    ctx: RequestContext,
    client: OwnerSession['client'],
    { subject, file, progress }: { subject: Subject; file: ExportedFile; progress: ExportProgress },
  ): Promise<WrittenPart> {
    let end: Omit<ExportedText, 'text'> = { ...(progress.files[file.name] ?? NOTHING), isEnd: false };
    const rows = this.exported.read(client, subject, file, end);
    const texts = async function* (): AsyncGenerator<string> {
      let length = 0;
      for await (const { text, ...position } of rows) {
        end = position;
        yield text;
        length += text.length;
        if (length >= PART_LENGTH) return;
      }
    };
    const compressed = createGzip(COMPRESSION);
    const filled = pipeline(Readable.from(texts(), { objectMode: false }), compressed);
    // The write gets the error, too.
    filled.catch(() => undefined);
    const store = await this.storage.storeOf(ctx, HOSTED);
    const { sizeBytes } = await store.write(partKeyOf(progress.next), compressed);
    await filled;
    return { ...end, sizeBytes };
  }

  /** @returns the saved progress; null when the export no longer exists, or another process has continued it. The part is deleted then. */
  private async save(
    ctx: RequestContext,
    id: string,
    before: ExportProgress,
    progress: ExportProgress,
  ): Promise<ExportProgress | null> {
    if (await this.repository.saveProgress(ctx, id, before, progress)) return progress;
    await this.storage.deleteLater(ctx, { account: HOSTED, key: partKeyOf(before.next) });
    return null;
  }
}

interface WrittenPart extends Omit<ExportedText, 'text'> {
  readonly sizeBytes: number;
}

function withPart(
  { since, files, next, bytes }: ExportProgress,
  { name }: ExportedFile,
  { rows, after, isEnd, sizeBytes }: WrittenPart,
): ExportProgress {
  const { parts } = files[name] ?? NOTHING;
  const file = { rows, after, parts: [...parts, next], isComplete: isEnd };
  return { since, files: { ...files, [name]: file }, next: newId(), bytes: bytes + sizeBytes };
}
