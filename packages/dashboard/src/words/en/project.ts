export const project = {};
