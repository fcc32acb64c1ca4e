// npm run bench [name] [-- options]: runs one benchmark. Without a name it runs `service`; an unknown name lists all. `--help` prints the
// options of a benchmark: the comment at its head.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { runToCompletion } from '../scripts/support/child.mjs';
import { Failure, inRoot, run } from '../scripts/support/project.mjs';

const [first = '', ...rest] = process.argv.slice(2);
const isName = /^[a-z]/.test(first);
const name = isName ? first : 'service';
const fileOf = (benchmark) => inRoot('bench', `${benchmark}.mjs`);

await run(async () => {
  if (!isBenchmark(name)) throw new Failure(`There is no benchmark "${name}". Benchmarks: ${benchmarks().join(', ')}.`);
  if (process.argv.includes('--help')) console.log(headOf(name));
  else await runToCompletion([fileOf(name), ...(isName ? rest : process.argv.slice(2))]);
});

/** The comment at the head of a benchmark. It says what the benchmark measures, and its options. */
function headOf(benchmark) {
  const [head] = /^(\/\/.*\n)+/.exec(readFileSync(fileOf(benchmark), 'utf8'));
  return head.replace(/^\/\/ ?/gm, '').trimEnd();
}

/** The folder also holds code that benchmarks share. The head of a benchmark names the command that runs it. */
function isBenchmark(candidate) {
  return (
    existsSync(fileOf(candidate)) && readFileSync(fileOf(candidate), 'utf8').includes(`npm run bench ${candidate}`)
  );
}

function benchmarks() {
  const names = readdirSync(inRoot('bench')).filter((file) => file.endsWith('.mjs'));
  return names.map((file) => file.slice(0, -'.mjs'.length)).filter(isBenchmark);
}
