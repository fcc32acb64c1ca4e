import { Injectable } from '@nestjs/common';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { type MinSupportedVersion, MinSupportedVersionsRepository } from './min-supported-versions.repository';

/** The lowest supported version of each platform, null where every version is supported. */
export type MinSupported = Readonly<Record<Platform, string | null>>;

/** Changes of the lowest supported versions. Null removes a version. Absent platforms stay as they are. */
export type MinSupportedChange = Readonly<Partial<Record<Platform, string | null | undefined>>>;

/** Stores which versions of its apps a project still supports. */
@Injectable()
export class MinSupportedVersionsService {
  constructor(
    private readonly repository: MinSupportedVersionsRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  async get(ctx: RequestContext, scope: ProjectScope): Promise<MinSupported> {
    const found = new Map(await this.repository.list(ctx, scope));
    const all = PLATFORMS.map((platform) => [platform, found.get(platform) ?? null] as const);
    return Object.fromEntries(all) as Record<Platform, string | null>;
  }

  async change(ctx: RequestContext, scope: ProjectScope, change: MinSupportedChange): Promise<MinSupported> {
    return this.transactions.run(ctx, async (tx) => {
      const saved = PLATFORMS.flatMap((platform): MinSupportedVersion[] => {
        const version = change[platform];
        return typeof version === 'string' ? [[platform, version]] : [];
      });
      const deleted = PLATFORMS.filter((platform) => change[platform] === null);
      if (saved.length > 0) await this.repository.save(tx, scope, saved);
      if (deleted.length > 0) await this.repository.delete(tx, scope, deleted);
      if (saved.length + deleted.length > 0) {
        const payload = Object.fromEntries([...saved, ...deleted.map((platform) => [platform, null] as const)]);
        await this.audit.record(tx, { type: 'project.min_supported_changed', ...scopeOf(scope), payload });
      }
      return this.get(tx, scope);
    });
  }
}
