import 'reflect-metadata';
import { StartupError } from '#kernel/errors/startup-error';
import { startService } from '#app/service';

const asked = (flag: string): boolean => process.argv.includes(flag);

startService({ seedDemo: asked('--demo'), migrateOnly: asked('--migrate-only') }).catch((error: unknown) => {
  // A person reads this: what is wrong and how to mend it, without a stack where it would not help.
  console.error(error instanceof StartupError ? `\n${error.message}\n` : error);
  process.exit(1);
});
