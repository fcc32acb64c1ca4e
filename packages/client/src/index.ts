export { ApiError, envelopeToApiError, toApiError } from './api-error';
export { ATTACHMENT_KINDS, attachmentKindOf } from './attachments';
export { Client, type ClientOptions, type RequestOf, type ResponseOf, type Route } from './client';
export { CsvError, type CsvRow, type CsvValue, decodeText, parseCsv, toCsv } from './csv';
export { HELP, helpOfWarning } from './help';
export { markedBlocks, type MarkedBlock, type Span } from './marked-text';
export {
  effectiveProjectRole,
  includesProjectRole,
  missingRole,
  ORGANIZATION_ROLES,
  type OrganizationRole,
  PROJECT_ROLES,
  type Roles,
} from './may';
export { PLATFORMS } from './platforms';
export * from './upload';
export type * from './generated';
