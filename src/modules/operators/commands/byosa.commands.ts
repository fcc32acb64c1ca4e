import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { BuildRelocationService } from '#modules/builds';
import { ByosaService, HOSTED } from '#modules/storage';
import {
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
  organizationOf,
  type ReportProgress,
} from '../operator-command';

interface Flip {
  readonly organizationId: string;
  readonly to: 'byosa' | 'hosted';
  readonly copy: boolean;
}

const ORGANIZATION = { name: 'organization_id', describe: 'the id of the organization' };

/** Storage that organizations bring themselves (BYOSA). */
@Injectable()
export class ByosaCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly byosa: ByosaService,
    private readonly relocations: BuildRelocationService,
  ) {
    this.commands = [
      {
        name: 'byosa flip',
        summary: 'Store new artifacts of an organization in its own storage, or in the hosted storage again',
        parameters: [ORGANIZATION],
        options: [
          { name: 'to', describe: 'byosa or hosted' },
          {
            name: 'copy',
            describe: 'also move the existing artifacts; run the command again to continue after an interruption',
            flag: true,
          },
        ],
        effect: (ctx, input) => this.effect(ctx, flipOf(input)),
        run: (ctx, input, report) => this.flip(ctx, flipOf(input), report),
      },
      {
        name: 'byosa diagnose',
        summary: "Diagnose an organization's own storage",
        parameters: [ORGANIZATION],
        run: async (ctx, input) => {
          const { checks } = await byosa.diagnose(ctx, organizationOf(input));
          return checks.map(({ name, status, message, durationMs }) => ({
            name,
            status,
            message,
            duration_ms: durationMs,
          }));
        },
      },
    ];
  }

  private async effect(ctx: RequestContext, { organizationId, to, copy }: Flip): Promise<string> {
    const account = await this.byosa.find(ctx, organizationId);
    if (!account) throw AppError.notFound('storage account of this organization');
    const target = to === 'byosa' ? account.id : HOSTED;
    const { builds } = await this.relocations.countElsewhere(ctx, organizationId, target);
    const meters = to === 'byosa' ? 'its meters are paused' : 'its meters resume';
    const copied = copy
      ? `${builds} existing artifacts are moved there`
      : `${builds} existing artifacts stay where they are`;
    return `New artifacts of ${organizationId} go to ${to === 'byosa' ? 'its own' : 'the hosted'} storage and ${meters}; ${copied}.`;
  }

  private async flip(ctx: RequestContext, { organizationId, to, copy }: Flip, report: ReportProgress): Promise<object> {
    const account = await this.byosa.flip(ctx, organizationId, to);
    if (!copy) return { to, ...leftOf(await this.relocations.countElsewhere(ctx, organizationId, account)) };
    const { builds: total } = await this.relocations.countElsewhere(ctx, organizationId, account);
    const { moved, movedBytes, failed, left } = await this.relocations.moveAll(ctx, organizationId, account, (done) =>
      report(done, total),
    );
    return {
      to,
      moved,
      moved_bytes: movedBytes,
      failed: failed.map(({ buildId, reason }) => ({ build_id: buildId, reason })),
      ...leftOf(left),
    };
  }
}

const leftOf = ({ builds, uploads }: { readonly builds: number; readonly uploads: number }): object => ({
  builds_elsewhere: builds,
  uploads_elsewhere: uploads,
});

function flipOf(input: OperatorInput): Flip {
  const { to } = input;
  if (to !== 'byosa' && to !== 'hosted') throw AppError.invalidInput('to', 'Use --to byosa or --to hosted.');
  return { organizationId: organizationOf(input), to, copy: input['copy'] === 'true' };
}
