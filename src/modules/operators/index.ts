export {
  type OperatorCommand,
  OperatorCommands,
  type OperatorInput,
  type OperatorResult,
  type ReportProgress,
} from './operator-command';
export { OperatorsModule } from './operators.module';
