import { deferred } from '../deferred';

export const DeferredRemindDialog = deferred(async () => (await import('./testers-dialog')).RemindDialog, ['bulk']);

export const DeferredBulkDialog = deferred(async () => (await import('./testers-dialog')).BulkDialog, ['bulk']);
