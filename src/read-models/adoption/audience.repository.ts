import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isLive } from '#modules/builds';
import { type AudienceMember, AudienceViews } from '#modules/releases';
import { hasEnoughUnopened } from '#modules/testers';
import { isConcerned, STEP_IN_RELEASE } from './adoption-steps';

interface MemberRow extends Pick<AudienceMember, 'id' | 'step'> {
  readonly isUnopened: boolean;
  readonly unopenedMails: number;
}

@Injectable()
export class AudienceRepository extends AudienceViews {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async findAmong(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    releaseId: string,
    testerIds: readonly string[],
  ): Promise<readonly AudienceMember[]> {
    const found = await rows<MemberRow>(
      this.transactions.manager(ctx),
      `SELECT tester.id, ${STEP_IN_RELEASE} AS step, tester.opened_at IS NULL AS "isUnopened",
              tester.unopened_mails AS "unopenedMails"
       FROM release r JOIN build b ON b.id = r.build_id AND ${isLive('b')} JOIN subscription s ON s.channel_id = r.channel_id
       JOIN tester ON tester.id = s.tester_id
       WHERE r.organization_id = $1 AND r.project_id = $2 AND r.id = $3 AND s.tester_id = ANY ($4::uuid[])
         AND ${isConcerned('r.platform')} ORDER BY s.tester_id`,
      [organizationId, projectId, releaseId, testerIds],
    );
    return found.map(({ id, step, ...mails }) => ({ id, step, hasEnoughUnopened: hasEnoughUnopened(mails) }));
  }
}
