import { useParams, useSearch } from '@tanstack/react-router';
import { type AuditFilter, today } from '../../queries/organization/audit';

/** The organization and the filters of the address. */
export function useAuditPlace() {
  const { org } = useParams({ from: '/member/o/$org/audit' });
  const search = useSearch({ from: '/member/o/$org/audit' });
  const { day, type, person, address, project } = search;
  const filter: AuditFilter = {
    day: isDay(day) ? day : today(),
    ...(type && { type }),
    ...(person && { actor: person }),
    ...(address && { ip: address }),
    ...(project && { project_id: project }),
  };
  return { organizationId: org, search, filter, isFiltered: [type, person, address, project].some(Boolean) };
}

/** Whether a day is in this millennium, as the service requires. Date fields report half-typed years. */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Whether a text is a whole IP address, of either version. */
export function isAddress(text: string): boolean {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return text.split('.').every((part) => Number(part) < 256);
  return /^[\da-f:.]*:[\da-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]/`);
}
