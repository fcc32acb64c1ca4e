import { Injectable } from '@nestjs/common';
import { AuditChainService, type ChainReport } from '#modules/audit';
import { type OperatorCommand, type OperatorCommandGroup, organizationOf } from '../operator-command';

/** Verification of the audit feed's hash chains. */
@Injectable()
export class AuditCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(chain: AuditChainService) {
    this.commands = [
      {
        name: 'audit verify',
        summary: 'Verify the hash chain of an audit feed and name the first position that was tampered with',
        options: [
          {
            name: 'organization_id',
            describe: 'the id of the organization; without it, the chain of account events is verified',
          },
        ],
        run: async (ctx, input, report) => {
          const organizationId = input['organization_id'] === undefined ? null : organizationOf(input);
          return toResult(await chain.verify(ctx, organizationId, report));
        },
        hasFaults: (result) => 'whole' in result && result.whole === false,
      },
    ];
  }
}

const toResult = ({ events, anchor, head, fault }: ChainReport): object => ({
  whole: fault === null,
  events,
  first_position: Number(anchor.position) + 1,
  head_position: Number(head.position),
  head_hash: head.hash.toString('hex'),
  fault: fault?.reason ?? null,
  fault_position: fault && Number(fault.position),
  fault_event_id: fault?.eventId ?? null,
});
