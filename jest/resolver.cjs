// Some packages export only the "import" condition. It is used when the "require" conditions do not resolve.
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
