export { jsonWithoutCommands, textWithoutCommands } from '../../output/escaping';
export { localOutputHost, type OutputHost } from './output-host';
export { prepareTargets, publishBuilds, publishFailure } from './publish';
export { summaryOf } from './summary';
export { detectTargets, parseTargets, type Target } from './targets';
export { type UploadedBuild } from './values';
