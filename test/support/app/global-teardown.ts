import { type TestRun } from './global-setup';

// eslint-disable-next-line no-restricted-exports -- Jest takes the default export
export default async function globalTeardown(): Promise<void> {
  await (globalThis as TestRun).agateTestRunEnd?.();
}
