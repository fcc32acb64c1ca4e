import { type Machine } from '../../src/ci/environments';
import { type RecordedRun } from './recorded';

/** The machine of a recorded run, with a git that knows neither branch nor commit. */
export const machineOf = ({ env, files }: Pick<RecordedRun, 'env' | 'files'>): Machine => ({
  env,
  readText: (file) => {
    const content = files[file];
    return content === undefined ? null : typeof content === 'string' ? content : JSON.stringify(content);
  },
  otherCi: null,
  git: () => null,
});
