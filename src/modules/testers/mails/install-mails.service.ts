import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toBuffer as qrCodePng } from 'qrcode';
import { versionName } from '#kernel/builds/version-name';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type MailDraft, type MailHeaders, type SharedMailImage } from '#infra/mail/mail-message';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { type MailApp, type MailBrand } from '#infra/mail/mail-parts';
import { renderMail, type TranslatedMail } from '#infra/mail/render-mail';
import { messagesFor } from '#infra/pages/messages/messages';
import { BuildIconsService, type BuildWithUrl } from '#modules/builds';
import { type Brand, BrandingService, LOGO_MAIL_IMAGE } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { type AppVersion, type InstallMailData, type MailNames, senderOf } from './install-mail';

/** The links of one mail. */
export interface InstallMailLinks {
  readonly url: string;
  /** The install URL whose `/unsubscribe` page unsubscribes. */
  readonly unsubscribe: string;
}

const QR_CODE = 'install-link';
const LOGO = 'logo';
/** To compare the filters of PNG takes longer than the rest, and none makes black and white lines shorter. */
const PNG_OPTIONS = { filterType: 0, deflateStrategy: 0, deflateLevel: 6 } as const;
/** Four pixels per module, and the white margin of four modules that ISO/IEC 18004 requires. */
const QR_OPTIONS = { errorCorrectionLevel: 'M', margin: 4, scale: 4, rendererOpts: PNG_OPTIONS } as const;

/** Makes mails with an install link. */
@Injectable()
export class InstallMailsService implements OnModuleInit {
  constructor(
    private readonly projects: ProjectsService,
    private readonly branding: BrandingService,
    private readonly icons: BuildIconsService,
    private readonly outbox: MailOutbox,
  ) {}

  /** A code takes as long as the rest of its mail. Invitations are composed in a transaction, whose locks others wait for. */
  onModuleInit(): void {
    this.outbox.readSharedImages(QR_CODE, (_ctx, url) => qrCodePng(url, QR_OPTIONS));
  }

  /** The names that mails to the testers of a project contain, and their language. @throws AppError not_found */
  async names(ctx: RequestContext, scope: ProjectScope): Promise<MailNames> {
    const { name: project, language } = await this.projects.get(ctx, scope);
    const brand = await this.branding.brandOf(ctx, scope.organizationId);
    return { project, organization: brand.name, brand, language };
  }

  /** A build as mails show it. @param further what a mail says about it besides. */
  async app(
    ctx: RequestContext,
    build: BuildWithUrl,
    { project, language }: MailNames,
    further: Pick<MailApp['app'], 'notes' | 'changes' | 'problem'> = {},
  ): Promise<AppVersion> {
    const icon = build.iconMediaType === null ? null : await this.icons.mailImageOf(ctx, build.id);
    const { version, buildNumber, platform, artifact } = build;
    const app = {
      name: artifact.name?.trim() || project,
      version: versionName(version, buildNumber),
      platform: messagesFor(language).install.systems[platform],
      icon: icon?.name ?? null,
      ...further,
    };
    return { app, icon };
  }

  /** A mail with an install link, its QR code, and one-click unsubscribe headers (RFC 2369, RFC 8058). */
  compose<Data extends object>(
    mail: TranslatedMail<Data & InstallMailData>,
    { url, unsubscribe }: InstallMailLinks,
    data: Data & Omit<InstallMailData, 'url' | 'unsubscribeUrl' | 'qr'>,
  ): MailDraft {
    const { tester, names, apps } = data;
    const unsubscribeUrl = `${unsubscribe}/unsubscribe`;
    const headers: MailHeaders = {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    return {
      to: { address: tester.email, ...(tester.name !== null && { name: tester.name }) },
      senderName: senderOf(names),
      ...renderMail(mail[names.language], { ...data, url, unsubscribeUrl, qr: QR_CODE }, mailBrandOf(names.brand)),
      headers,
      sharedImages: [
        ...logoOf(names.brand),
        { name: QR_CODE, shared: { kind: QR_CODE, id: url } },
        ...apps.flatMap(({ icon }) => icon ?? []),
      ],
    };
  }
}

const mailBrandOf = ({ logo, ...brand }: Brand): MailBrand => ({
  ...brand,
  logo: logo && { image: LOGO, width: logo.width, height: logo.height },
});

/** The logo is a part of the mail: a picture from an address would tell who reads the mail, and most programs block it. */
const logoOf = ({ logo }: Brand): readonly SharedMailImage[] =>
  logo ? [{ name: LOGO, shared: { kind: LOGO_MAIL_IMAGE, id: logo.key } }] : [];
