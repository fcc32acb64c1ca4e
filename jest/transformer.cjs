// Jest runs CommonJS. TypeScript is compiled by swc; packages that ship only ES modules (NestJS 12, uuid, …) are rewritten
// to CommonJS by swc too; CommonJS packages pass through untouched. Works without flags on Node 20, 22 and 24.
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { createTransformer } = require('@swc/jest');
const swcOptions = require('../scripts/support/swc-options.cjs');

const typescript = createTransformer(swcOptions({ syntax: 'typescript', decorators: true }));
const ecmascript = createTransformer(swcOptions({ syntax: 'ecmascript' }));

const packageTypes = new Map();
function packageType(dir) {
  if (!packageTypes.has(dir)) {
    const manifest = path.join(dir, 'package.json');
    const parent = path.dirname(dir);
    packageTypes.set(
      dir,
      fs.existsSync(manifest)
        ? (JSON.parse(fs.readFileSync(manifest, 'utf8')).type ?? 'commonjs')
        : parent === dir
          ? 'commonjs'
          : packageType(parent),
    );
  }
  return packageTypes.get(dir);
}

const isEsModule = (file) =>
  file.endsWith('.mjs') || (file.endsWith('.js') && packageType(path.dirname(file)) === 'module');
const transformerFor = (file) => (/\.[cm]?ts$/.test(file) ? typescript : isEsModule(file) ? ecmascript : null);

module.exports = {
  process: (source, file, options) => transformerFor(file)?.process(source, file, options) ?? { code: source },
  getCacheKey: (source, file, options) =>
    transformerFor(file)?.getCacheKey(source, file, options) ??
    'plain-' + crypto.createHash('sha1').update(source).update(file).digest('hex'),
};
