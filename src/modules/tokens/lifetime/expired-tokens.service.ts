import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#infra/jobs/jobs';
import { PersonalAccessTokensRepository } from '../personal/personal-access-tokens.repository';
import { ProjectAccessTokensRepository } from '../project/project-access-tokens.repository';

/** Expired tokens stay in the lists for 90 days, so that a person who looks for a failed job finds the reason. */
@Injectable()
export class ExpiredTokensService implements OnModuleInit {
  constructor(
    private readonly projectTokens: ProjectAccessTokensRepository,
    private readonly personalTokens: PersonalAccessTokensRepository,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('tokens.prune-expired', '13 4 * * *', async (ctx) => {
      await this.projectTokens.prune(ctx);
      await this.personalTokens.prune(ctx);
    });
  }
}
