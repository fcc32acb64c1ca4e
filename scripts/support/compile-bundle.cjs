// node compile-bundle.cjs <file>: keeps the code that V8 compiles for a bundle of the service in <file>.cache.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { compileBundle } = require(path.join(__dirname, '../../dist/src/app/start/bundle.js'));

const [file] = process.argv.slice(2);
const { exports: program, script } = compileBundle(file);
program.load();
writeFileSync(`${file}.cache`, script.createCachedData());
process.exit(0);
