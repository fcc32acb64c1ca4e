import { toBuffer as qrCodePng } from 'qrcode';
import { type MailDraft, type MailHeaders } from '#infra/mail/mail-message';
import { type MailTemplate, renderMail } from '#infra/mail/render-mail';
import { type Recipient } from '../tester';

/** What every mail with an install link tells its template. */
export interface InstallMailData {
  readonly tester: Recipient;
  readonly project: string;
  /** The page that installs. */
  readonly url: string;
  /** The page that ends these mails. */
  readonly unsubscribeUrl: string;
  /** Name of the QR code of `url`: `<img src="cid:…">`. */
  readonly qr: string;
}

/** The links of one mail. */
export interface InstallMailLinks {
  readonly url: string;
  /** The link whose `/unsubscribe` ends these mails. */
  readonly unsubscribe: string;
}

const QR = 'install-link';
/** Four pixels a module, and as many modules of white around as ISO/IEC 18004 asks for. */
const QR_OPTIONS = { errorCorrectionLevel: 'M', margin: 4, scale: 4 } as const;

/** A mail with an install link, its QR code for the phone next to the screen, and a way out (RFC 2369, RFC 8058). */
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
    ...renderMail(template, { ...data, url, unsubscribeUrl, qr: QR }),
    headers,
    images: [{ name: QR, base64: (await qrCodePng(url, QR_OPTIONS)).toString('base64') }],
  };
}
