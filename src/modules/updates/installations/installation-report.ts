import { MAX_INT } from '../current/current-build';

/** The report of an App Center SDK that an update was installed. */
export interface InstallationReport {
  readonly installId: string;
  /** The `id` of the release that the SDK downloaded. */
  readonly releaseNumber: number;
}

const MAX_ID_LENGTH = 128;

/** Null when the query is not a report. */
export function installationReport(query: {
  readonly install_id?: unknown;
  readonly downloaded_release_id?: unknown;
}): InstallationReport | null {
  const { install_id: installId, downloaded_release_id: sent } = query;
  if (typeof installId !== 'string' || installId === '' || installId.length > MAX_ID_LENGTH) return null;
  const releaseNumber = typeof sent === 'string' && /^\d{1,10}$/.test(sent) ? Number(sent) : 0;
  return releaseNumber > 0 && releaseNumber <= MAX_INT ? { installId, releaseNumber } : null;
}
