import { type TestRun } from './global-setup';

// eslint-disable-next-line no-restricted-exports -- Jest requires a default export
export default async function globalTeardown(): Promise<void> {
  await (globalThis as TestRun).agateTestRunEnd?.();
}
