import { type OperatorCommand, type OperatorCommandGroup } from './operator-command';

/** All operator commands, in the order of the help. */
export class OperatorCommands {
  readonly all: readonly OperatorCommand[];

  constructor(groups: readonly OperatorCommandGroup[]) {
    this.all = groups.flatMap(({ commands }) => commands);
  }
}
