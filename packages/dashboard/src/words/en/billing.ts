export const billing = {};
