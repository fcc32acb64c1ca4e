import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids/ids';
import { AuditChain, type ChainReport } from '#modules/audit';
import { type OperatorCommand, type OperatorCommandGroup } from './operator-command';

/** Proof that nobody has touched an audit feed (contract §12). */
@Injectable()
export class AuditCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(chain: AuditChain) {
    this.commands = [
      {
        name: 'audit verify',
        summary: 'Follow the chain of an audit feed and name the first place at which it was touched',
        options: [{ name: 'organization_id', describe: 'whose; without it, the chain of the events of accounts' }],
        run: async (ctx, { organization_id: organizationId = null }, report) => {
          if (organizationId !== null && !isUuid(organizationId))
            throw AppError.validation([{ field: 'organization_id', messages: ['must be a UUID'] }]);
          return toAnswer(await chain.verify(ctx, organizationId, report));
        },
        finds: (answer) => 'whole' in answer && answer.whole === false,
      },
    ];
  }
}

const toAnswer = ({ events, anchor, head, fault }: ChainReport): object => ({
  whole: fault === null,
  events,
  first_position: Number(anchor.position) + 1,
  head_position: Number(head.position),
  head_hash: head.hash.toString('hex'),
  fault: fault?.reason ?? null,
  fault_position: fault && Number(fault.position),
  fault_event_id: fault?.eventId ?? null,
});
