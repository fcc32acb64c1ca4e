/** How swc compiles a source of the given syntax to CommonJS. */
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
