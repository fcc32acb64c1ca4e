export const welcome = {};
