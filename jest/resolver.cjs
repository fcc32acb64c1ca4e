// Some packages export only an "import" condition; fall back to it when the "require" conditions find nothing.
module.exports = (request, options) => {
  try {
    return options.defaultResolver(request, options);
  } catch (error) {
    if (/^[./#]/.test(request)) throw error;
    try {
      return options.defaultResolver(request, { ...options, conditions: ['node', 'import', 'default'] });
    } catch {
      throw error;
    }
  }
};
