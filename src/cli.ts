import 'reflect-metadata';
import { StartupError } from '#kernel/errors/startup-error';
import { runOperatorConsole } from '#app/operator-console';

runOperatorConsole(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    // A person reads this: what is wrong and how to mend it, without a stack where it would not help.
    console.error(error instanceof StartupError ? `\n${error.message}\n` : error);
    process.exit(1);
  },
);
