// npm run build
import './support/node-version.mjs';
import { step } from './support/progress.mjs';
import { build, run } from './support/project.mjs';

await run(() => step('Building', build));
