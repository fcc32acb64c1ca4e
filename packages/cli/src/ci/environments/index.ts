export { type CiEnvironment, detectCiEnvironment } from './detect-ci-environment';
export { type Machine } from './provider';
export { localMachine } from './local-machine';
