import { deferred } from '../deferred';

/**
 * The dialog for screens that rarely need it. Its texts are loaded with it: React fails to render a component that suspends before its
 * first hook and does not when it continues.
 */
export const DeferredPromoteDialog = deferred(
  async () => (await import('./promote-dialog')).PromoteDialog,
  ['promotion', 'differences', 'build'],
);
