export const uploads = {};
