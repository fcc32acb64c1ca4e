import { isMailAddress } from '#kernel/text/email-address';

/** Below `/assets`, which every proxy in front of install pages forwards. */
export const LOGO_PATH = '/assets/logos';

/** What a page shows of the organization behind it. */
export interface PageBrand {
  readonly name: string;
  readonly logo: { readonly key: string; readonly width: number; readonly height: number } | null;
  readonly contact: string | null;
  readonly privacyUrl: string | null;
  readonly accent: string | null;
}

/** A contact, with the address behind it if it names one. */
export interface BrandContact {
  readonly text: string;
  readonly href: string | null;
}

/** A mail address and the address of a page become links. Any other text stays text. */
export function contactOf(contact: string): BrandContact {
  if (isMailAddress(contact)) {
    return { text: contact, href: `mailto:${encodeURIComponent(contact).replaceAll('%40', '@')}` };
  }
  return { text: contact, href: isWebAddress(contact) ? contact : null };
}

/** Whether a text is an `http` or `https` address that names no user. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hostname !== '';
}
