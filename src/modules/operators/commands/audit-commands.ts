import { Injectable } from '@nestjs/common';
import { AuditChainService, type ChainReport } from '#modules/audit';
import { type OperatorCommand, type OperatorCommandGroup } from '../operator-command';
import { organizationOf } from '../typed-values';

/** Proof that nobody has touched an audit feed (contract §12). */
@Injectable()
export class AuditCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(chain: AuditChainService) {
    this.commands = [
      {
        name: 'audit verify',
        summary: 'Follow the chain of an audit feed and name the first place at which it was touched',
        options: [{ name: 'organization_id', describe: 'whose; without it, the chain of the events of accounts' }],
        run: async (ctx, input, report) => {
          const organizationId = input['organization_id'] === undefined ? null : organizationOf(input);
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
