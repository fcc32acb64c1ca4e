import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Logger } from '#infra/logging/logger';
import { TIMEOUTS } from './data-source-options';

interface EffectiveTimeouts {
  readonly role: string;
  readonly statement: string;
  readonly lock: string;
  readonly idle: string;
}

const EFFECTIVE = `SELECT quote_ident(current_user) AS role, current_setting('statement_timeout') AS statement,
  current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`;

/** The timeouts that apply to the service's statements. A pooler can ignore those that the service sends when it connects. */
@Injectable()
export class ConnectionTimeouts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  /** Logs the statements that set the timeouts for the role when one of them is off. Called at the start. */
  async reportMissing(): Promise<void> {
    const [{ role, statement, lock, idle }] = await this.dataSource.query<[EffectiveTimeouts]>(EFFECTIVE);
    if (![statement, lock, idle].includes('0')) return;
    const settings = Object.entries(TIMEOUTS).filter(([name]) => name.endsWith('_timeout'));
    const sql = settings.map(([name, ms]) => `ALTER ROLE ${role} SET ${name} = '${ms / 1000}s';`).join(' ');
    this.logger.warn(
      { statement, lock, idle },
      `The database connection has no timeouts, because a pooler ignores those of the service. Run as the owner: ${sql}`,
    );
  }
}
