import { Readable, type Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type ExportedFile } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { OwnerDatabase, type OwnerSession } from '#infra/database/roles/owner-database';
import { Transactions } from '#infra/database/transactions';
import { countArtifacts, readArtifacts, readIcons } from '#modules/builds';
import { StorageService } from '#modules/storage';
import { Archive, type ArchivedArtifacts, type ArchivedFile, NO_ARTIFACTS } from './archive';
import { ExportedRows } from './exported-rows';
import { type Subject } from './subjects.service';

export interface ExportOptions {
  /** Includes the artifacts and icons of an organization's builds. */
  readonly artifacts: boolean;
}

export interface ExportReport extends ArchivedArtifacts {
  /** The number of rows in each file, by the file's name. */
  readonly rows: Readonly<Record<string, number>>;
}

type Report = (done: number, total: number, part: string) => void;

/**
 * Exports all data of an organization or a developer as a zip of JSON files. Rows are read some hundred at a time, without a common snapshot
 * of the database, and the zip is streamed, so neither vacuum nor memory depends on its size. Columns are listed one by one, and no secret is
 * among them.
 */
@Injectable()
export class ExportService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly exported: ExportedRows,
  ) {}

  /** Writes the zip and ends `target`. Records an audit event before and after, so that an interrupted export is recorded too. */
  async export(
    ctx: RequestContext,
    subject: Subject,
    target: Writable,
    options: ExportOptions,
    report: Report,
  ): Promise<ExportReport> {
    await this.record(ctx, 'export_started', subject, options);
    const exported = await this.owner.session(ctx, async ({ client }) => {
      const archive = new Archive(ctx.clock.now(), target);
      const files: ArchivedFile[] = [];
      const all = this.exported.filesOf(subject);
      for (const file of all) {
        files.push({ ...file, rows: await this.addRows(client, subject, archive, file) });
        report(files.length, all.length, 'files');
      }
      const artifacts = options.artifacts
        ? await this.addArtifacts(ctx, client, { subject, archive, report })
        : NO_ARTIFACTS;
      await archive.end(subject, files, artifacts);
      return { rows: Object.fromEntries(files.map(({ name, rows }) => [name, rows])), ...artifacts };
    });
    await this.record(ctx, 'exported', subject, options);
    return exported;
  }

  /** Records that an export begins or has ended. */
  async record(
    ctx: RequestContext,
    verb: 'export_started' | 'exported',
    { kind, id }: Pick<Subject, 'kind' | 'id'>,
    { artifacts }: ExportOptions,
  ): Promise<void> {
    await this.transactions.run(ctx, (tx) =>
      kind === 'organization'
        ? this.audit.record(tx, { type: `organization.${verb}`, organizationId: id, payload: { artifacts } })
        : this.audit.record(tx, { type: `developer.${verb}`, organizationId: null, payload: { developer_id: id } }),
    );
  }

  /** @returns the number of rows. */
  private async addRows(
    client: OwnerSession['client'],
    subject: Subject,
    archive: Archive,
    file: ExportedFile,
  ): Promise<number> {
    let count = 0;
    const { exported } = this;
    const texts = async function* (): AsyncGenerator<string> {
      for await (const { text, rows } of exported.read(client, subject, file)) {
        count = rows;
        yield text;
      }
    };
    await archive.add(`${file.name}.json`, Readable.from(texts(), { objectMode: false }));
    return count;
  }

  private async addArtifacts(
    ctx: RequestContext,
    client: OwnerSession['client'],
    { subject, archive, report }: { subject: Subject; archive: Archive; report: Report },
  ): Promise<ArchivedArtifacts> {
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

  /** Opens an artifact; null when the store does not have it, because it was deleted after its row was read, or is lost. */
  private async read(ctx: RequestContext, account: string, key: string): Promise<Readable | null> {
    try {
      return await (await this.storage.storeOf(ctx, account)).read(key);
    } catch (error) {
      if (error instanceof AppError && error.errorCase === 'not_found') return null;
      throw error;
    }
  }
}
