import { StartupError } from '#kernel/errors/startup-error';
import { runOperatorConsole } from './operator-console';

describe('An operator command', () => {
  const former = { ...process.env };
  afterEach(() => {
    process.env = former;
  });

  // red when: `runOperatorConsole` throws instead of rejecting, and Node prints a stack trace
  it('rejects with the list of problems when the configuration is not valid', async () => {
    process.env = { ...former, DATABASE_URL: '', DATABASE_OWNER_URL: 'postgres://owner@db.example.com/agate' };
    const result = runOperatorConsole(['check']);
    await expect(result).rejects.toThrow(StartupError);
    await expect(result).rejects.toThrow('DATABASE_OWNER_URL');
  });
});
