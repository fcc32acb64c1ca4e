import { once } from 'node:events';
import { type PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { type SealedExport } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Sealer } from '#infra/crypto/sealer';
import { OwnerDatabase, type OwnerSession } from '#infra/database/roles/owner-database';
import { readRows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { countArtifacts, readArtifacts, readIcons } from '#modules/builds';
import { StorageService } from '#modules/storage';
import { AccountFiles } from './account-files';
import { type Subject } from './subjects.service';

export interface ExportOptions {
  /** Includes the artifacts and icons of an organization's builds. */
  readonly artifacts: boolean;
}

export interface ExportReport {
  /** The number of rows in each file, by the file's name. */
  readonly rows: Readonly<Record<string, number>>;
  readonly artifacts: number;
  /** The builds without an artifact in the store. */
  readonly missing: readonly string[];
}

type Session = (work: (session: OwnerSession) => Promise<ExportReport>) => Promise<ExportReport>;

interface ExportRun {
  readonly subject: Subject;
  readonly target: Writable;
  readonly options: ExportOptions;
  readonly report: Report;
}

type Report = (done: number, total: number, part: string) => void;

const NO_ARTIFACTS: Omit<ExportReport, 'rows'> = { artifacts: 0, missing: [] };

/**
 * Exports all data of an organization or a developer as a zip of JSON files. All files show the same snapshot of the database. The zip is
 * streamed, so memory use does not depend on its size. Columns are listed one by one, and no secret is among them.
 */
@Injectable()
export class ExportService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly accountFiles: AccountFiles,
    private readonly sealer: Sealer,
  ) {}

  /** Writes the zip and ends `target`. Records an audit event before and after, so that an interrupted export is recorded too. */
  async export(
    ctx: RequestContext,
    subject: Subject,
    target: Writable,
    options: ExportOptions,
    report: Report,
  ): Promise<ExportReport> {
    return this.exportWith((work) => this.owner.session(ctx, work), ctx, { subject, target, options, report });
  }

  /** Exports like `export`, without artifacts, for the service itself: with the privileges of its own role. */
  exportAsService(ctx: RequestContext, subject: Subject, target: Writable): Promise<ExportReport> {
    const session: Session = (work) => this.owner.applicationSession(ctx, work);
    const report = (): void => undefined;
    return this.exportWith(session, ctx, { subject, target, options: { artifacts: false }, report });
  }

  private async exportWith(
    session: Session,
    ctx: RequestContext,
    { subject, target, options, report }: ExportRun,
  ): Promise<ExportReport> {
    await this.record(ctx, 'export_started', subject, options);
    const exported = await session(async ({ client }) => {
      await client.query(`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL timezone = 'UTC'`);
      const archive = new Archive(ctx.clock.now(), target);
      const rows: Record<string, number> = {};
      const files = this.accountFiles[subject.kind];
      for (const [index, { name, sql, sealed }] of files.entries()) {
        const read = readRows(client, sql, [subject.id]);
        rows[name] = await archive.addArray(`${name}.json`, sealed ? this.opened(read, sealed) : read);
        report(index + 1, files.length, 'files');
      }
      const artifacts = options.artifacts
        ? await this.addArtifacts(ctx, client, { subject, archive, report })
        : NO_ARTIFACTS;
      const { id, kind, label } = subject;
      const contents = files.map(({ name, describe }) => ({ file: `${name}.json`, describe, rows: rows[name] }));
      const summary = { format: 1, [kind]: { id, name: label }, exported_at: ctx.clock.now(), contents, ...artifacts };
      await archive.add('contents.json', Readable.from([`${JSON.stringify(summary, null, 2)}\n`]));
      await archive.end();
      return { rows, ...artifacts };
    });
    await this.record(ctx, 'exported', subject, options);
    return exported;
  }

  private async *opened(read: AsyncIterable<object>, { column, as, contextOf }: SealedExport): AsyncGenerator<object> {
    for await (const row of read as AsyncIterable<Record<string, unknown> & { readonly id: string }>) {
      const { [column]: value, ...others } = row;
      yield { ...others, [as]: this.sealer.open(value as Buffer, contextOf(row.id)).toString() };
    }
  }

  private async addArtifacts(
    ctx: RequestContext,
    client: OwnerSession['client'],
    { subject, archive, report }: { subject: Subject; archive: Archive; report: Report },
  ): Promise<Omit<ExportReport, 'rows'>> {
    if (subject.kind !== 'organization') return NO_ARTIFACTS;
    for await (const { id, data } of readIcons(client, subject.id)) {
      await archive.add(`icons/${id}`, Readable.from([data]));
    }
    const total = await countArtifacts(client, subject.id);
    const missing: string[] = [];
    let artifacts = 0;
    for await (const { id, account, key } of readArtifacts(client, subject.id)) {
      const source = await this.read(ctx, account, key);
      if (source) await archive.add(`artifacts/${id}`, source, { compress: false });
      if (source) artifacts++;
      else missing.push(id);
      report(artifacts + missing.length, total, 'artifacts');
    }
    return { artifacts, missing };
  }

  /** Opens an artifact; null when the store does not have it, because it was deleted after the snapshot or is lost. */
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

/** A zip file that is written entry by entry: an entry starts when the previous one has been written. */
class Archive {
  private readonly zip = new ZipFile();
  private readonly written: Promise<void>;

  constructor(
    private readonly time: Date,
    target: Writable,
  ) {
    this.zip.on('error', (error: Error) => (this.zip.outputStream as PassThrough).destroy(error));
    this.written = pipeline(this.zip.outputStream, target);
    // `add` and `end` report the error. Without this handler, an error before their call would be an unhandled rejection.
    this.written.catch(() => undefined);
  }

  async add(name: string, source: Readable, options: { readonly compress?: boolean } = {}): Promise<void> {
    this.zip.addReadStream(source, name, { mtime: this.time, mode: 0o100640, ...options });
    await Promise.race([once(source, 'close'), this.written]);
  }

  /** Adds a JSON array with one element per line. @returns the number of elements. */
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
