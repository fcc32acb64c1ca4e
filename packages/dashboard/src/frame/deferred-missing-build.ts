import { deferred } from '../parts/deferred';

/** For screens of a build. Few of them need it. */
export const DeferredMissingBuild = deferred(async () => (await import('./missing-build')).MissingBuild, ['trash']);
