import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';

/** Whose data it is. */
export interface Subject {
  readonly kind: 'organization' | 'developer';
  readonly id: string;
  /** A name for people. */
  readonly label: string;
}

@Injectable()
export class SubjectsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** An organization by its id, a developer by their id or e-mail address; null for neither. */
  async find(ctx: RequestContext, text: string): Promise<Subject | null> {
    const id = isUuid(text) ? text : null;
    const rows: Subject[] = await this.transactions.manager(ctx).query(
      `SELECT 'organization' AS kind, id, name AS label FROM organization WHERE id = $1
       UNION ALL SELECT 'developer', id, email FROM developer WHERE id = $1 OR email_key = $2`,
      [id, id === null ? emailKeyOf(text) : null],
    );
    return rows[0] ?? null;
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, text: string): Promise<Subject> {
    const subject = await this.find(ctx, text);
    if (subject) return subject;
    throw new AppError('not_found', { message: `There is no organization or developer ${text}.` });
  }
}
