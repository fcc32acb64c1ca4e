import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { DeviceLoginEntity } from './device-login.entity';

@Injectable()
export class DeviceLoginsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, login: DeviceLoginEntity): Promise<void> {
    await this.logins(ctx).insert(login);
  }

  /** Finds a login by one of its codes and locks it until the transaction ends, so that each step happens once. Includes expired ones. */
  lock(
    tx: RequestContext,
    code: Pick<DeviceLoginEntity, 'deviceDigest'> | Pick<DeviceLoginEntity, 'userDigest'>,
  ): Promise<DeviceLoginEntity | null> {
    return this.logins(tx).findOne({ where: code, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    tx: RequestContext,
    { deviceDigest }: DeviceLoginEntity,
    change: Partial<
      Pick<DeviceLoginEntity, 'polledAt' | 'intervalSeconds' | 'decision' | 'developerId' | 'organizationId' | 'usedAt'>
    >,
  ): Promise<void> {
    await this.logins(tx).update({ deviceDigest }, change);
  }

  /** Deletes logins that expired an hour ago. Until then a program learns what became of its login. */
  prune(ctx: RequestContext): Promise<void> {
    const condition = `expires_at < (SELECT app_now() - interval '1 hour')`;
    return deleteInBatches(this.transactions.manager(ctx), 'device_login', condition);
  }

  private logins(ctx: RequestContext): Repository<DeviceLoginEntity> {
    return this.transactions.manager(ctx).getRepository(DeviceLoginEntity);
  }
}
