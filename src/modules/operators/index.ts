export { type OperatorAnswer, type OperatorCommand, type OperatorInput, type ReportProgress } from './operator-command';
export { OperatorCommands } from './operator-commands';
export { OperatorsModule } from './operators.module';
