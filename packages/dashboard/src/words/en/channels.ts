export const channels = {};
