import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { isUuid, newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type DeviceFacts, type StoredDevice } from '../device';
import { DevicesService } from '../devices.service';
import { DeviceReceiptsRepository } from './device-receipts.repository';

const TICKET_MINUTES = 15;
const MINUTE_MS = 60_000;

/** A ticket to register one device through an install link. */
interface DeviceTicket {
  readonly id: string;
  /** The token of the install link, with the grant of the visitor if the link needs one. */
  readonly token: string;
}

/**
 * Registers devices through install links. A phone sends its id from another process than its browser, without cookies, so everything that
 * the answer needs is in the ticket: encrypted, valid for fifteen minutes and for one answer.
 */
@Injectable()
export class DeviceRegistrationsService implements OnModuleInit {
  constructor(
    private readonly devices: DevicesService,
    private readonly receipts: DeviceReceiptsRepository,
    private readonly sealer: Sealer,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('devices.prune-receipts', '53 3 * * *', (ctx) => this.receipts.prune(ctx));
  }

  /** Issues a ticket for an install link. */
  issue(ctx: RequestContext, token: string): string {
    const until = ctx.clock.now().getTime() + TICKET_MINUTES * MINUTE_MS;
    const text = JSON.stringify([newId(), token, until]);
    return this.sealer.seal(Buffer.from(text), TICKET_CONTEXT).toString('base64url');
  }

  /** @throws AppError not_found for a ticket that is malformed, expired or was used. */
  async open(ctx: RequestContext, ticket: string): Promise<DeviceTicket> {
    const [id, token, until] = this.unsealed(ticket, TICKET_CONTEXT) ?? [];
    const isValid =
      isUuid(id) && typeof token === 'string' && typeof until === 'number' && ctx.clock.now().getTime() < until;
    if (!isValid || (await this.receipts.exists(ctx, id))) throw deadTicket();
    return { id, token };
  }

  /**
   * Registers the device of a ticket's answer.
   * @returns the receipt, for the address of its page. @throws AppError not_found when the ticket was used, quota_exceeded.
   */
  async register(
    ctx: RequestContext,
    scope: ProjectScope,
    { id, token }: DeviceTicket,
    facts: DeviceFacts,
  ): Promise<string> {
    return this.transactions.run(ctx, async (tx) => {
      const [registered] = await this.devices.register(tx, scope, [facts]);
      const device = registered?.device as StoredDevice;
      if (!(await this.receipts.insert(tx, scope, id, device.id))) throw deadTicket();
      const payload = { device_id: device.id, ...(device.testerId !== null && { tester_id: device.testerId }) };
      await this.audit.record(tx, { type: 'device.registered', ...scopeOf(scope), payload });
      return this.sealer.seal(Buffer.from(JSON.stringify([id])), receiptContext(token)).toString('base64url');
    });
  }

  /**
   * The device of a receipt, which is shown once.
   * @returns null when the receipt is not of this link, was shown before, or is older than its ticket could be.
   */
  async spend(ctx: RequestContext, scope: ProjectScope, token: string, receipt: string): Promise<StoredDevice | null> {
    const [id] = this.unsealed(receipt, receiptContext(token)) ?? [];
    if (!isUuid(id)) return null;
    const since = new Date(ctx.clock.now().getTime() - TICKET_MINUTES * MINUTE_MS);
    const deviceId = await this.receipts.spend(ctx, scope, id, since);
    return deviceId === null ? null : this.devices.find(ctx, scope, deviceId);
  }

  /** The value of a cookie by which later pages of the project recognize a device. */
  toCookie({ projectId, id }: StoredDevice): string {
    return this.sealer.seal(Buffer.from(JSON.stringify([id])), cookieContext(projectId)).toString('base64url');
  }

  /** The device that a cookie names; null when the value is not one of this project, or the device was removed. */
  async fromCookie(ctx: RequestContext, scope: ProjectScope, value: string): Promise<StoredDevice | null> {
    const [id] = this.unsealed(value, cookieContext(scope.projectId)) ?? [];
    return isUuid(id) ? this.devices.find(ctx, scope, id) : null;
  }

  /** The list in a sealed text; null when it was sealed for another purpose or changed. */
  private unsealed(text: string, context: string): unknown[] | null {
    const sealed = Buffer.from(text, 'base64url');
    // Other texts decode to the same bytes.
    if (sealed.toString('base64url') !== text) return null;
    try {
      return JSON.parse(this.sealer.open(sealed, context).toString()) as unknown[];
    } catch {
      return null;
    }
  }
}

const TICKET_CONTEXT = 'device-ticket';
const receiptContext = (token: string): string => `device-receipt|${token}`;
const cookieContext = (projectId: string): string => `device-cookie|${projectId}`;

const deadTicket = (): AppError =>
  new AppError('not_found', {
    message: 'This profile has expired or was used before. Open the page of the link again and load a new one.',
  });
