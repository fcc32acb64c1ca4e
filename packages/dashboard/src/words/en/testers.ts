export const testers = {};
