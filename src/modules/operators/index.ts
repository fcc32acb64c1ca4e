export { type OperatorCommand, type OperatorInput, type OperatorResult, type ReportProgress } from './operator-command';
export { OperatorCommands } from './operator-commands';
export { OperatorsModule } from './operators.module';
