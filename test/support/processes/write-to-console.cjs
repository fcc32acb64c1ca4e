// A preload for `NODE_OPTIONS=--require=…`: on SIGUSR2, writes to both standard streams, as libraries do.
process.on('SIGUSR2', () => {
  console.log('A library reports something.');
  console.trace('A library reports an error.');
});
