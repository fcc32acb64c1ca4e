export const tokens = {};
