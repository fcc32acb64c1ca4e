// Imported first and written in old syntax, so that an old version of Node prints this error instead of a syntax error.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const wanted = engines.node.replace(/^>=/, '');

const numbers = (version) => version.split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const [wantedMajor, wantedMinor] = numbers(wanted);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`Agate needs Node ${wanted} or later; this is ${process.versions.node}. See https://nodejs.org/.`);
  process.exit(1);
}
