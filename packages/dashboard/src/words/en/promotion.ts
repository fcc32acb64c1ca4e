export const promotion = {};
