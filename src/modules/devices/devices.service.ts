import { Injectable, type OnModuleInit } from '@nestjs/common';
import { formatUdid } from '#kernel/builds/udid';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Quota, type QuotaUse, requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { ListedSecrets } from '#infra/crypto/listed-secrets';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { ProfileDevicesService } from '#modules/builds';
import { TestersService } from '#modules/testers';
import { type DeviceChange, type DeviceFacts, type StoredDevice } from './device';
import { type DeviceEntity, DevicesRepository } from './devices.repository';

/** A device after its registration. */
export interface RegisteredDevice {
  readonly device: StoredDevice;
  /** Whether the project did not know it before. */
  readonly isNew: boolean;
}

/**
 * The devices of testers. Their ids (UDIDs) are stated by their owners: Apple's certificate of a phone does not prove who sent it. Audit
 * events name devices by their id in this service.
 */
@Injectable()
export class DevicesService implements OnModuleInit {
  constructor(
    private readonly repository: DevicesRepository,
    private readonly profiles: ProfileDevicesService,
    private readonly testers: TestersService,
    private readonly sealer: Sealer,
    private readonly secrets: ListedSecrets,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  onModuleInit(): void {
    this.testers.erasing.add((tx, scope, testerId) => this.eraseOfTester(tx, scope, testerId));
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<StoredDevice> {
    const device = await this.repository.find(ctx, scope, id);
    if (!device) throw AppError.notFound('device');
    return device;
  }

  /** A device of a project, null when it was removed. */
  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<StoredDevice | null> {
    return this.repository.find(ctx, scope, id);
  }

  /** The devices of a tester, oldest first. */
  listOfTester(ctx: RequestContext, scope: ProjectScope, testerId: string): Promise<StoredDevice[]> {
    return this.repository.findOfTester(ctx, scope, testerId);
  }

  /**
   * Registers devices, or updates what is known about them. A device that has an owner keeps it. The caller records the events.
   * @returns the devices, in the order of `facts`. @throws AppError quota_exceeded
   */
  async register(
    tx: RequestContext,
    scope: ProjectScope,
    facts: readonly DeviceFacts[],
  ): Promise<readonly RegisteredDevice[]> {
    await this.repository.lock(tx, scope);
    const digests = facts.map(({ udid }) => this.profiles.digestOf(scope, udid));
    const found = await this.repository.findByDigests(tx, scope, digests);
    const known = new Map(found.map((device) => [keyOf(device.udidDigest), device]));
    const included = new Set((await this.profiles.digestsInBuilds(tx, scope, digests)).map(keyOf));
    const added = new Set<DeviceEntity>();
    const registered: RegisteredDevice[] = [];
    for (const [index, fact] of facts.entries()) {
      const digest = digests[index] as Buffer;
      const existing = known.get(keyOf(digest));
      const device = existing ?? this.newDevice(tx, scope, fact, { digest, isIncluded: included.has(keyOf(digest)) });
      if (!existing) added.add(device);
      else if (!added.has(device)) await this.save(tx, device, fact);
      known.set(keyOf(digest), device);
      registered.push({ device, isNew: !existing });
    }
    if (added.size > 0) await this.requireRoomFor(tx, scope, added.size);
    await this.repository.insert(tx, [...added]);
    return registered;
  }

  /** The number of devices that `register` would add. @throws AppError quota_exceeded */
  async countNew(tx: RequestContext, scope: ProjectScope, facts: readonly DeviceFacts[]): Promise<number> {
    const digests = facts.map(({ udid }) => this.profiles.digestOf(scope, udid));
    const known = await this.repository.findByDigests(tx, scope, digests);
    const count = new Set(digests.map(keyOf)).size - known.length;
    if (count > 0) await this.requireRoomFor(tx, scope, count);
    return count;
  }

  /** @throws AppError not_found, also for an unknown tester. */
  async update(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    { name, testerId }: DeviceChange,
  ): Promise<StoredDevice> {
    return this.transactions.run(ctx, async (tx) => {
      if (testerId) await this.testers.get(tx, scope, testerId);
      const change = { ...(name !== undefined && { name }), ...(testerId !== undefined && { testerId }) };
      if (Object.keys(change).length > 0) {
        if (!(await this.repository.update(tx, scope, id, change))) throw AppError.notFound('device');
        await this.audit.record(tx, { type: 'device.updated', ...scopeOf(scope), payload: { device_id: id } });
      }
      return this.get(tx, scope, id);
    });
  }

  /** @throws AppError not_found */
  async remove(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.delete(tx, scope, id))) throw AppError.notFound('device');
      await this.audit.record(tx, { type: 'device.removed', ...scopeOf(scope), payload: { device_id: id } });
    });
  }

  /** Records that devices are registered with Apple. Unknown ids are skipped. @returns the number of devices that were not before. */
  async markRegistered(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<number> {
    return this.transactions.run(ctx, async (tx) => {
      const marked = await this.repository.markRegistered(tx, scope, ids);
      const payload = { device_ids: marked };
      if (marked.length > 0)
        await this.audit.record(tx, { type: 'devices.marked_registered', ...scopeOf(scope), payload });
      return marked.length;
    });
  }

  /** The id of a device in Apple's notation; null when it cannot be opened. */
  udidOf({ id, udidSealed }: Pick<StoredDevice, 'id' | 'udidSealed'>): string | null {
    const udid = this.secrets.open(udidSealed, deviceContext(id));
    return udid && formatUdid(udid);
  }

  /** Records that the ids of devices were read. */
  async recordExport(ctx: RequestContext, scope: ProjectScope, count: number): Promise<void> {
    await this.transactions.run(ctx, (tx) =>
      this.audit.record(tx, { type: 'devices.exported', ...scopeOf(scope), payload: { count } }),
    );
  }

  /** The project's number of devices and its limit. */
  async quota(ctx: RequestContext, scope: ProjectScope): Promise<QuotaUse> {
    return { ...this.deviceQuota, used: await this.repository.count(ctx, scope) };
  }

  private get deviceQuota(): Quota {
    return { name: 'devices_per_project', limit: this.quotas.devicesPerProject };
  }

  private async requireRoomFor(tx: RequestContext, scope: ProjectScope, more: number): Promise<void> {
    const { deviceQuota } = this;
    const last = (await this.repository.count(tx, scope)) + more - 1;
    requireRoom(deviceQuota, last, `A project can have ${deviceQuota.limit} devices. Remove some first.`);
  }

  private newDevice(
    tx: RequestContext,
    scope: ProjectScope,
    { udid, ...facts }: DeviceFacts,
    { digest, isIncluded }: { readonly digest: Buffer; readonly isIncluded: boolean },
  ): DeviceEntity {
    const id = newId();
    return {
      ...scopeOf(scope),
      ...facts,
      id,
      udidDigest: digest,
      udidSealed: this.sealer.seal(Buffer.from(formatUdid(udid)), deviceContext(id)),
      registeredAt: null,
      includedAt: isIncluded ? tx.clock.now() : null,
      createdAt: tx.clock.now(),
    };
  }

  /** Adds what a new statement says about a known device. The device keeps its tester. */
  private async save(tx: RequestContext, device: DeviceEntity, facts: DeviceFacts): Promise<void> {
    const change = {
      testerId: device.testerId ?? facts.testerId,
      product: facts.product ?? device.product,
      osVersion: facts.osVersion ?? device.osVersion,
      name: facts.name ?? device.name,
    };
    Object.assign(device, change);
    await this.repository.update(tx, device, device.id, change);
  }

  /** The devices themselves are deleted with their tester. */
  private async eraseOfTester(tx: RequestContext, scope: ProjectScope, testerId: string): Promise<void> {
    const devices = await this.repository.findOfTester(tx, scope, testerId);
    const digests = devices.map(({ udidDigest }) => udidDigest);
    if (digests.length > 0) await this.profiles.erase(tx, scope, digests);
  }
}

/** Binds the sealed id of a device to its row. */
export const deviceContext = (id: string): string => `device|${id}`;

const keyOf = (digest: Buffer): string => digest.toString('hex');
