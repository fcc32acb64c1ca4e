import { toBuffer as qrCodePng } from 'qrcode';
import { type MailDraft, type MailHeaders } from '#infra/mail/mail-message';
import { type MailTemplate, renderMail } from '#infra/mail/render-mail';
import { type Recipient } from '../tester';

/** The template data of every mail with an install link. */
export interface InstallMailData {
  readonly tester: Recipient;
  readonly project: string;
  /** The install page. */
  readonly url: string;
  readonly unsubscribeUrl: string;
  /** The content id of the QR code of `url`: `<img src="cid:…">`. */
  readonly qr: string;
}

/** The links of one mail. */
export interface InstallMailLinks {
  readonly url: string;
  /** The install URL whose `/unsubscribe` page unsubscribes. */
  readonly unsubscribe: string;
}

const QR_CONTENT_ID = 'install-link';
/** Four pixels per module, and the white margin of four modules that ISO/IEC 18004 requires. */
const QR_OPTIONS = { errorCorrectionLevel: 'M', margin: 4, scale: 4 } as const;

/** A mail with an install link, its QR code, and one-click unsubscribe headers (RFC 2369, RFC 8058). */
export async function installMail<Data extends object>(
  template: MailTemplate<Data & InstallMailData>,
  { url, unsubscribe }: InstallMailLinks,
  data: Data & Pick<InstallMailData, 'tester' | 'project'>,
): Promise<MailDraft> {
  const { tester } = data;
  const unsubscribeUrl = `${unsubscribe}/unsubscribe`;
  const headers: MailHeaders = {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return {
    to: { address: tester.email, ...(tester.name !== null && { name: tester.name }) },
    ...renderMail(template, { ...data, url, unsubscribeUrl, qr: QR_CONTENT_ID }),
    headers,
    images: [{ name: QR_CONTENT_ID, base64: (await qrCodePng(url, QR_OPTIONS)).toString('base64') }],
  };
}
