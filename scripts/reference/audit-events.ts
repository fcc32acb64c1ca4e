import { AUDIT_EVENT_TYPES } from '#kernel/audit/audit-event';
import { code, page, table } from './markdown';

const INTRO = `All event types of the audit feed. Each event is written in the transaction of its change.`;

export const auditEventsPage = (): string =>
  page(
    'Audit events',
    INTRO,
    table(
      ['type', 'meaning'],
      Object.entries(AUDIT_EVENT_TYPES).map(([type, meaning]) => [code(type), meaning]),
    ),
  );
