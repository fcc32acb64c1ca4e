import 'reflect-metadata';
import { runOperatorConsole } from '#app/cli/operator-console';
import { explain } from '#app/cli/explain';

runOperatorConsole(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(explain(error, { asJson: process.argv.includes('--json') }));
    process.exit(1);
  },
);
