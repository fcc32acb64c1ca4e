import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { BuildDeletionService, TrashService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { releaseFacts } from '../release';
import { TrashedReleasesRepository } from './trashed-releases.repository';

/** Hides the releases of builds while these are in the trash, and keeps current builds out of it. */
@Injectable()
export class TrashedReleasesService implements OnModuleInit {
  constructor(
    private readonly repository: TrashedReleasesRepository,
    private readonly deletion: BuildDeletionService,
    private readonly trash: TrashService,
    private readonly channels: ChannelsService,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.deletion.deleting.add((tx, buildIds) => this.hide(tx, buildIds));
    this.trash.restoring.add((tx, scope, buildIds) => this.show(tx, scope, buildIds));
    this.channels.beforeDelete.add((tx, scope, channelId) => this.repository.deleteOfChannel(tx, scope, channelId));
  }

  /** @returns the builds that are current in a channel. */
  private async hide(tx: RequestContext, buildIds: readonly string[]): Promise<readonly string[]> {
    if (buildIds.length === 0) return [];
    const current = await this.repository.lock(tx, buildIds);
    await this.repository.hide(
      tx,
      buildIds.filter((id) => !current.includes(id)),
    );
    return current;
  }

  private async show(tx: RequestContext, scope: ProjectScope, buildIds: readonly string[]): Promise<void> {
    for (const channelId of await this.repository.findChannels(tx, buildIds)) {
      await this.channels.lockReleases(tx, scope, channelId);
    }
    const withdrawn = await this.repository.show(tx, buildIds);
    await this.audit.recordAll(
      tx,
      withdrawn.map((release) => {
        const payload = { ...releaseFacts(release), by_restoration: true };
        return { type: 'release.withdrawn', ...scopeOf(release), payload };
      }),
    );
  }
}
