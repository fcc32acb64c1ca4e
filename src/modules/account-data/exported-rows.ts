import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ExportedFile, type SealedExport } from '#kernel/account-data';
import { Sealer } from '#infra/crypto/sealer';
import { readByKey } from '#infra/database/read-by-key';
import { AccountFiles } from './account-files';
import { type Subject } from './subjects.service';

/** A part of the text of a file, and its position. */
export interface ExportedText {
  readonly text: string;
  /** The number of rows up to the end of the text. */
  readonly rows: number;
  /** The key of the last of these rows; null before the first. */
  readonly after: readonly unknown[] | null;
  /** Whether this is the end of the file. */
  readonly isEnd: boolean;
}

/** A position in a file. */
export type Position = Pick<ExportedText, 'rows' | 'after'>;

export const BEGINNING: Position = { rows: 0, after: null };

/** Reads the files of an export as text: a JSON array with one element per line. */
@Injectable()
export class ExportedRows {
  constructor(
    private readonly accountFiles: AccountFiles,
    private readonly sealer: Sealer,
  ) {}

  /** The files of an export, in order. */
  filesOf({ kind }: Pick<Subject, 'kind'>): readonly ExportedFile[] {
    return this.accountFiles[kind];
  }

  /** The text of a file from a position on, row by row. */
  async *read(
    client: ClientBase,
    { id }: Pick<Subject, 'id'>,
    { sql, key = ['id'], parent, sealed }: ExportedFile,
    from: Position = BEGINNING,
  ): AsyncGenerator<ExportedText> {
    let { rows, after } = from;
    for await (const found of readByKey(client, { sql, key, parent, values: [id] }, after)) {
      const row = sealed ? this.open(found.row, sealed) : found.row;
      const text = `${rows === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`;
      rows += 1;
      after = found.key;
      yield { text, rows, after, isEnd: false };
    }
    yield { text: rows === 0 ? '[]\n' : '\n]\n', rows, after, isEnd: true };
  }

  private open(row: object, { column, as, contextOf }: SealedExport): object {
    const { [column]: value, ...others } = row as Record<string, unknown>;
    return { ...others, [as]: this.sealer.open(value as Buffer, contextOf(others['id'] as string)).toString() };
  }
}
