export { type CiEnvironment, detectCiEnvironment } from './detect-ci-environment';
export { type Git, gitIn } from './git';
export { type Machine } from './provider';
export { localMachine } from './local-machine';
