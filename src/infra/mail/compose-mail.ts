import { type SendMailOptions } from 'nodemailer';
import { checkedMail, type MailAddress, type MailMessage } from './mail-message';

/** What the library makes an RFC 5322 message of; the same for every way of sending. */
export function composeMail(message: MailMessage, from: MailAddress): SendMailOptions {
  const { id, to, subject, html, text, headers, images = [], queuedAt } = checkedMail(message);
  return {
    from: toMailbox(from),
    to: toMailbox(to),
    subject,
    text,
    html,
    attachments: images.map(({ name, base64 }) => ({
      cid: name,
      filename: `${name}.png`,
      contentType: 'image/png',
      contentDisposition: 'inline',
      content: Buffer.from(base64, 'base64'),
    })),
    date: queuedAt,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // RFC 3834: no holiday notices in return.
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    // A template never makes this process read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const toMailbox = ({ address, name }: MailAddress): { address: string; name: string } => ({
  address,
  name: name ?? '',
});
