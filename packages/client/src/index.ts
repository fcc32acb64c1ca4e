export { ApiError, envelopeToApiError } from './api-error';
export { Client, type ClientOptions, type RequestOf, type ResponseOf, type Route } from './client';
export { effectiveProjectRole, missingRole, type OrganizationRole, type Roles } from './may';
export * from './upload';
export type * from './generated';
