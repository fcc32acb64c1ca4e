/** The options with which swc compiles a source of the given syntax to CommonJS, for the build and for the tests. */
module.exports = (parser) => ({
  jsc: {
    parser,
    target: 'es2022',
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'commonjs' },
  swcrc: false,
});

const typescript = module.exports({ syntax: 'typescript', decorators: true });

/** The options for TypeScript that Node itself loads. Node, unlike Jest, must import ES modules dynamically. */
module.exports.forNode = {
  ...typescript,
  module: { ...typescript.module, ignoreDynamic: true },
  sourceMaps: true,
};
