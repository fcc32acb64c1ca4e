import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError, MAX_ERROR_FIELDS } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { TestersService } from '#modules/testers';
import { type DeviceFilter, DeviceViews } from '../device-views';
import { DevicesRepository } from '../devices.repository';
import { DevicesService } from '../devices.service';
import { type ImportedLine, type OpenedDevice } from './device-files';

interface ImportOptions {
  /** Whether Apple knows the devices. */
  readonly isRegistered: boolean;
  readonly dryRun: boolean;
}

export interface ImportOutcome {
  readonly created: number;
  readonly existing: number;
}

const READ_AT_ONCE = 1000;

/** Reads and adds many devices. */
@Injectable()
export class DeviceFilesService {
  constructor(
    private readonly devices: DevicesService,
    private readonly repository: DevicesRepository,
    private readonly views: DeviceViews,
    private readonly testers: TestersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** The devices that meet the filter with their ids, newest first, without those whose id cannot be opened. Recorded in the audit feed. */
  async read(ctx: RequestContext, scope: ProjectScope, filter: DeviceFilter): Promise<OpenedDevice[]> {
    const found: OpenedDevice[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.views.list(ctx, scope, filter, { limit: READ_AT_ONCE, cursor });
      for (const device of page.items) {
        const udid = this.devices.udidOf(device);
        if (udid !== null) found.push({ ...device, udid });
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    await this.devices.recordExport(ctx, scope, found.length);
    return found;
  }

  /** Adds the devices of a file, all or none. @throws AppError quota_exceeded, validation_error for the address of no tester. */
  async import(
    ctx: RequestContext,
    scope: ProjectScope,
    lines: readonly ImportedLine[],
    { isRegistered, dryRun }: ImportOptions,
  ): Promise<ImportOutcome> {
    return this.transactions.run(ctx, async (tx) => {
      const testerOf = await this.testersOf(tx, scope, lines);
      const facts = lines.map(({ udid, name, email }) => {
        const testerId = email === null ? null : (testerOf.get(email) ?? null);
        return { udid, name, testerId, product: null, osVersion: null };
      });
      if (dryRun) return outcomeOf(lines, await this.devices.countNew(tx, scope, facts));
      const registered = await this.devices.register(tx, scope, facts);
      const ids = registered.map(({ device }) => device.id);
      if (isRegistered) await this.repository.markRegistered(tx, scope, ids);
      const outcome = outcomeOf(lines, registered.filter(({ isNew }) => isNew).length);
      const payload = { ...outcome, registered: isRegistered };
      await this.audit.record(tx, { type: 'devices.imported', ...scopeOf(scope), payload });
      return outcome;
    });
  }

  /** The testers of the addresses, by the address as the file has it. */
  private async testersOf(
    tx: RequestContext,
    scope: ProjectScope,
    lines: readonly ImportedLine[],
  ): Promise<ReadonlyMap<string, string>> {
    const emails = lines.flatMap(({ email }) => email ?? []);
    const found = await this.testers.lockByEmails(tx, scope, emails);
    const wrong = lines.filter(({ email }) => email !== null && !found.has(email)).slice(0, MAX_ERROR_FIELDS);
    if (wrong.length === 0) return found;
    const messages = ['email must be the address of a tester of the project'];
    throw AppError.validation(wrong.map(({ line }) => ({ field: `line ${line}`, messages })));
  }
}

const outcomeOf = (lines: readonly ImportedLine[], created: number): ImportOutcome => ({
  created,
  existing: lines.length - created,
});
