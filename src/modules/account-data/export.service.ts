import { once } from 'node:events';
import { type PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { StorageService } from '#modules/storage';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { OwnerDatabase, type OwnerSession } from '#infra/database/roles/owner-database';
import { readRows } from '#infra/database/read-rows';
import { Transactions } from '#infra/database/transactions';
import { DEVELOPER_FILES } from './developer-data';
import { type ExportedFile } from './exported-file';
import { ORGANIZATION_FILES } from './organization-data';
import { type Subject } from './subjects.repository';

export interface ExportOptions {
  /** Includes the files of an organization's builds, and their icons. */
  readonly artifacts: boolean;
}

/** What an export came to. */
export interface ExportReport {
  /** Rows, by file. */
  readonly rows: Readonly<Record<string, number>>;
  readonly artifacts: number;
  /** Builds whose artifact could not be had. */
  readonly missing: readonly string[];
}

interface StoredBlob {
  readonly id: string;
  readonly account: string;
  readonly key: string;
  readonly uploaded_at: Date;
}

const BLOBS = `SELECT id, storage_account AS account, blob_key AS key, uploaded_at FROM build WHERE organization_id = $1`;
const ICONS = `SELECT b.id, i.data FROM build_icon i JOIN build b ON b.id = i.build_id WHERE b.organization_id = $1`;
/** Each may have some hundred kilobytes. */
const ICONS_AT_ONCE = 20;
const COUNT = `SELECT count(*)::int AS builds FROM build WHERE organization_id = $1`;

export const filesOf = ({ kind }: Pick<Subject, 'kind'>): readonly ExportedFile[] =>
  kind === 'organization' ? ORGANIZATION_FILES : DEVELOPER_FILES;

/**
 * All data of an organization or a developer as a zip of JSON (contract §16): as of one instant, streamed, so that memory does
 * not grow with it. What an export shows is named column by column; secrets are named nowhere.
 */
@Injectable()
export class ExportService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Writes the zip and ends `target`. Begin and end are events, so that nobody gets at it unseen by breaking it off. */
  async export(
    ctx: RequestContext,
    subject: Subject,
    target: Writable,
    options: ExportOptions,
    report: (done: number, total: number, part: string) => void,
  ): Promise<ExportReport> {
    await this.record(ctx, 'export_started', subject, options);
    const exported = await this.owner.session(ctx, async ({ client }) => {
      await client.query(`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL timezone = 'UTC'`);
      const archive = new Archive(ctx.clock.now(), target);
      const rows: Record<string, number> = {};
      const files = filesOf(subject);
      for (const [index, { name, sql }] of files.entries()) {
        rows[name] = await archive.addArray(`${name}.json`, readRows(client, sql, [subject.id]));
        report(index + 1, files.length, 'files');
      }
      const blobs = options.artifacts ? await this.addBlobs(ctx, client, { subject, archive, report }) : NO_BLOBS;
      const { id, kind, label } = subject;
      const contents = files.map(({ name, describe }) => ({ file: `${name}.json`, describe, rows: rows[name] }));
      const summary = { format: 1, [kind]: { id, name: label }, exported_at: ctx.clock.now(), contents, ...blobs };
      await archive.add('contents.json', Readable.from([`${JSON.stringify(summary, null, 2)}\n`]));
      await archive.end();
      return { rows, ...blobs };
    });
    await this.record(ctx, 'exported', subject, options);
    return exported;
  }

  private async addBlobs(
    ctx: RequestContext,
    client: OwnerSession['client'],
    {
      subject,
      archive,
      report,
    }: { subject: Subject; archive: Archive; report: (done: number, total: number, part: string) => void },
  ): Promise<Omit<ExportReport, 'rows'>> {
    if (subject.kind !== 'organization') return NO_BLOBS;
    for await (const icon of readRows(client, ICONS, [subject.id], ICONS_AT_ONCE)) {
      const { id, data } = icon as { id: string; data: Buffer };
      await archive.add(`icons/${id}`, Readable.from([data]));
    }
    const { rows } = await client.query<{ builds: number }>(COUNT, [subject.id]);
    const missing: string[] = [];
    let artifacts = 0;
    for await (const row of readRows(client, BLOBS, [subject.id])) {
      const { id, account, key } = row as StoredBlob;
      const source = await this.read(ctx, account, key);
      if (source) await archive.add(`artifacts/${id}`, source, { compress: false });
      if (source) artifacts++;
      else missing.push(id);
      report(artifacts + missing.length, rows[0]?.builds ?? 0, 'artifacts');
    }
    return { artifacts, missing };
  }

  /** Null for one that was deleted since, or is lost. */
  private async read(ctx: RequestContext, account: string, key: string): Promise<Readable | null> {
    try {
      return await (await this.storage.storeOf(ctx, account)).read(key);
    } catch (error) {
      if (error instanceof AppError && error.errorCase === 'not_found') return null;
      throw error;
    }
  }

  private async record(
    ctx: RequestContext,
    verb: 'export_started' | 'exported',
    { kind, id }: Subject,
    { artifacts }: ExportOptions,
  ): Promise<void> {
    await this.transactions.run(ctx, (tx) =>
      kind === 'organization'
        ? this.audit.record(tx, { type: `organization.${verb}`, organizationId: id, payload: { artifacts } })
        : this.audit.record(tx, { type: `developer.${verb}`, organizationId: null, payload: { developer_id: id } }),
    );
  }
}

const NO_BLOBS: Omit<ExportReport, 'rows'> = { artifacts: 0, missing: [] };

/** A zip that is written entry by entry: the next begins when the one before has left. */
class Archive {
  private readonly zip = new ZipFile();
  private readonly written: Promise<void>;

  constructor(
    private readonly time: Date,
    target: Writable,
  ) {
    this.zip.on('error', (error: Error) => (this.zip.outputStream as PassThrough).destroy(error));
    this.written = pipeline(this.zip.outputStream, target);
    // Whoever adds or ends hears of it.
    this.written.catch(() => undefined);
  }

  async add(name: string, source: Readable, options: { readonly compress?: boolean } = {}): Promise<void> {
    this.zip.addReadStream(source, name, { mtime: this.time, mode: 0o100640, ...options });
    await Promise.race([once(source, 'close'), this.written]);
  }

  /** An array, an element a line. @returns how many there were. */
  async addArray(name: string, rows: AsyncIterable<object>): Promise<number> {
    let count = 0;
    const lines = async function* (): AsyncGenerator<string> {
      for await (const row of rows) yield `${count++ === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`;
      yield count === 0 ? '[]\n' : '\n]\n';
    };
    await this.add(name, Readable.from(lines(), { objectMode: false }));
    return count;
  }

  async end(): Promise<void> {
    this.zip.end();
    await this.written;
  }
}
