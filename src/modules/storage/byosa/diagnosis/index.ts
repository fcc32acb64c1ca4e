export { CHECK_NAMES, CHECK_STATUSES, type CheckResult, type Diagnosis } from './check';
export { StoreDiagnosis } from './store-diagnosis';
