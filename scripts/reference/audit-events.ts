import { AUDIT_EVENT_TYPES } from '#kernel/audit/audit-event';
import { code, page, table } from './markdown';

const INTRO = `Every type of event that the audit feed can hold. One is written in the transaction of the change it tells of.`;

export const auditEventsPage = (): string =>
  page(
    'Audit events',
    INTRO,
    table(
      ['type', 'meaning'],
      Object.entries(AUDIT_EVENT_TYPES).map(([type, meaning]) => [code(type), meaning]),
    ),
  );
