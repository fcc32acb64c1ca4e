import { type LinkAccess, type UpdateLinkRequest } from '@agate/client';
import { type Link } from '../../queries/project/links';

/** The fields of the form of a link, as texts. */
export interface LinkValues {
  readonly name: string;
  readonly access: LinkAccess;
  readonly password: string;
  /** In the time zone of the browser, in the format of its field: `2026-12-01T18:00`. */
  readonly expires_at: string;
  readonly max_downloads: string;
  readonly terms: string;
}

export const NEW_LINK: LinkValues = {
  name: '',
  access: 'open',
  password: '',
  expires_at: '',
  max_downloads: '',
  terms: '',
};

export const valuesOf = ({ name, access, expires_at, max_downloads, terms }: Link): LinkValues => ({
  name: name ?? '',
  access,
  password: '',
  expires_at: expires_at === null ? '' : toLocal(new Date(expires_at)),
  max_downloads: max_downloads === null ? '' : String(max_downloads),
  terms: terms?.text ?? '',
});

/** What differs from the values before. A rule that is sent again would end the present visits. */
export function changesOf(before: LinkValues, after: LinkValues): UpdateLinkRequest {
  const differs = (field: keyof LinkValues): boolean => after[field].trim() !== before[field].trim();
  return {
    ...(differs('name') && { name: after.name.trim() || null }),
    ...(differs('access') && { access: after.access }),
    // The password of another access stays in its field, and is not sent.
    ...(after.access === 'password' && after.password !== '' && { password: after.password }),
    ...(differs('expires_at') && {
      expires_at: after.expires_at === '' ? null : new Date(after.expires_at).toISOString(),
    }),
    ...(differs('max_downloads') && {
      max_downloads: after.max_downloads.trim() === '' ? null : Number(after.max_downloads),
    }),
    ...(differs('terms') && { terms: after.terms.trim() || null }),
  };
}

/** The value of the field of the end for a number of days from now. */
export function endAfter(days: number, now: Date): string {
  const end = new Date(now);
  end.setDate(end.getDate() + days);
  return toLocal(end);
}

const two = (value: number): string => String(value).padStart(2, '0');

const toLocal = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
