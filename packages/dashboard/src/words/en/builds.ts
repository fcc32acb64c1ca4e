export const builds = {};
