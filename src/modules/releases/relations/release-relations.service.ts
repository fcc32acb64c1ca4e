import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BuildListService } from '#modules/builds';
import { ReleaseRelationsRepository } from './release-relations.repository';

/** Answers the filters of builds by channel. */
@Injectable()
export class ReleaseRelationsService implements OnModuleInit {
  constructor(
    private readonly repository: ReleaseRelationsRepository,
    private readonly buildList: BuildListService,
  ) {}

  onModuleInit(): void {
    this.buildList.promotedTo.add((ctx, scope, channelId) => this.repository.listBuilds(ctx, { ...scope, channelId }));
    this.buildList.currentIn.add((ctx, scope, channelId) =>
      this.repository.listCurrentBuilds(ctx, { ...scope, channelId }),
    );
  }
}
