import 'reflect-metadata';
import { runOperatorConsole } from '#app/cli/operator-console';
import { formatError } from '#app/cli/format-error';

runOperatorConsole(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(formatError(error, { asJson: process.argv.includes('--json') }));
    process.exit(1);
  },
);
