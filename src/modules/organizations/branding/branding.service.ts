import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isLinkToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { HttpConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Transactions } from '#infra/database/transactions';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { contrastOfAccent, MIN_CONTRAST } from '#infra/pages/accent';
import { LOGO_PATH } from '#infra/pages/page-brand';
import { OrganizationsRepository } from '../organizations.repository';
import { type Brand, type Branding, toBrand, toBranding, toStoredBranding } from './branding';
import { BrandingRepository } from './branding.repository';
import { type LogoImage, readLogo } from './logo-image';

/** The kind of shared images of mails that logos are. */
export const LOGO_MAIL_IMAGE = 'organization-logo';

/** The branding that a request states. */
export interface BrandingDraft extends Omit<Branding, 'logo'> {
  /** A PNG in base64. */
  readonly logo: string | null;
}

/** The branding as an ADMIN edits it. */
export interface EditedBranding extends Branding {
  /** Null without a logo. */
  readonly logoPng: Buffer | null;
}

/** What testers see of an organization (docs/decisions/0097-branding-of-an-organization.md). */
@Injectable()
export class BrandingService implements OnModuleInit {
  constructor(
    private readonly repository: BrandingRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly digests: KeyedDigest,
    private readonly outbox: MailOutbox,
    private readonly config: HttpConfig,
  ) {}

  onModuleInit(): void {
    this.outbox.readSharedImages(LOGO_MAIL_IMAGE, (ctx, key) => this.repository.findLogoByKey(ctx, key));
  }

  async get(ctx: RequestContext, organizationId: string): Promise<EditedBranding> {
    const found = await this.repository.find(ctx, organizationId);
    if (!found) throw new AppError('permission_denied');
    const branding = toBranding(found.branding);
    const logoPng = branding.logo && (await this.repository.findLogo(ctx, organizationId));
    return { ...branding, logoPng };
  }

  /** Replaces the whole branding. @throws AppError invalid_input for a logo or an accent that is not accepted. */
  async replace(ctx: RequestContext, organizationId: string, draft: BrandingDraft): Promise<EditedBranding> {
    if (draft.accent !== null) requireContrast(draft.accent);
    const image = draft.logo === null ? null : readLogo(draft.logo);
    const logo = image && { key: this.keyOf(organizationId, image), width: image.width, height: image.height };
    const branding = { ...draft, logo };
    return this.transactions.run(ctx, async (tx) => {
      // A concurrent request has deleted it, since the access of this one was checked.
      if (!(await this.organizations.lock(tx, organizationId))) throw new AppError('permission_denied');
      await this.repository.save(tx, organizationId, toStoredBranding(branding));
      await this.repository.saveLogo(tx, organizationId, image && logo && { key: logo.key, png: image.png });
      await this.audit.record(tx, {
        type: 'organization.branding_updated',
        organizationId,
        payload: { ...toStoredBranding(branding), logo: image && { ...sizeOf(image), size_bytes: image.png.length } },
      });
      return { ...branding, logoPng: image?.png ?? null };
    });
  }

  /** The brand of an organization, for people outside it. Its name is empty when the organization was deleted. */
  async brandOf(ctx: RequestContext, organizationId: string): Promise<Brand> {
    const found = await this.repository.find(ctx, organizationId);
    return toBrand(found?.name ?? '', found?.branding ?? null);
  }

  /** The logo at an address. @throws AppError not_found for a wrong key, and when the logo was replaced. */
  async logoOf(ctx: RequestContext, key: string): Promise<Buffer> {
    const png = isLinkToken(key) ? await this.repository.findLogoByKey(ctx, key) : null;
    if (!png) throw AppError.notFound('logo');
    return png;
  }

  logoUrlOf({ key }: { readonly key: string }): string {
    return `${this.config.baseUrl}${LOGO_PATH}/${key}`;
  }

  /**
   * 43 characters of base64url: a keyed digest, so that the holder of a picture cannot find out which organization uses it. The same picture
   * keeps its address.
   */
  private keyOf(organizationId: string, { png }: LogoImage): string {
    const sha256 = createHash('sha256').update(png).digest('hex');
    return this.digests.of('organization-logo', `${organizationId}|${sha256}`).toString('base64url');
  }
}

const sizeOf = ({ width, height }: LogoImage): { readonly width: number; readonly height: number } => ({
  width,
  height,
});

function requireContrast(accent: string): void {
  const contrast = contrastOfAccent(accent);
  if (contrast >= MIN_CONTRAST) return;
  // Rounded down, because 4.496 is not 4.5.
  const shown = Math.floor(contrast * 100) / 100;
  throw AppError.invalidInput(
    'accent_contrast',
    `The accent has a contrast of ${shown} on the pages. Choose a darker colour: it needs ${MIN_CONTRAST}.`,
    { contrast: shown, min_contrast: MIN_CONTRAST },
  );
}
