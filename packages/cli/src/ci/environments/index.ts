export { type CiEnvironment } from './ci-environment';
export { detectCiEnvironment } from './detect-ci-environment';
export { type Machine } from './machine';
export { localMachine } from './local-machine';
