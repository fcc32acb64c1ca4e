/** The logo of an organization: its place and its size in pixels. */
export interface Logo {
  /** Names the image in its address. Other bytes, or another organization, have another key. */
  readonly key: string;
  readonly width: number;
  readonly height: number;
}

/** What testers see of an organization, on install pages and in mails. Null: the service's default. */
export interface Branding {
  /** Shown instead of the organization's name. */
  readonly displayName: string | null;
  readonly logo: Logo | null;
  /** A mail address, the address of a page, or another text by which testers reach the organization. */
  readonly contact: string | null;
  readonly privacyUrl: string | null;
  /** As `#rrggbb`. Its contrast is sufficient in both themes. */
  readonly accent: string | null;
}

/** The column `organization.branding`. */
export interface StoredBranding {
  readonly display_name: string | null;
  readonly logo: Logo | null;
  readonly contact: string | null;
  readonly privacy_url: string | null;
  readonly accent: string | null;
}

/** What testers see of an organization, with the name that they see. */
export interface Brand extends Omit<Branding, 'displayName'> {
  readonly name: string;
}

export const NO_BRANDING: Branding = { displayName: null, logo: null, contact: null, privacyUrl: null, accent: null };

export const toBranding = (stored: StoredBranding | null): Branding =>
  stored === null
    ? NO_BRANDING
    : {
        displayName: stored.display_name,
        logo: stored.logo,
        contact: stored.contact,
        privacyUrl: stored.privacy_url,
        accent: stored.accent,
      };

/** Null when nothing is set. */
export const toStoredBranding = (branding: Branding): StoredBranding | null =>
  Object.values(branding).every((value) => value === null)
    ? null
    : {
        display_name: branding.displayName,
        logo: branding.logo,
        contact: branding.contact,
        privacy_url: branding.privacyUrl,
        accent: branding.accent,
      };

/** The brand of an organization with this name and branding. */
export function toBrand(organizationName: string, stored: StoredBranding | null): Brand {
  const { displayName, ...others } = toBranding(stored);
  return { ...others, name: displayName ?? organizationName };
}
