import { type SendMailOptions } from 'nodemailer';
import { checkedMail, type MailAddress, type MailMessage } from './mail-message';

/** Builds the input from which nodemailer makes an RFC 5322 message, for every mailer. @throws AppError like `checkedMail`. */
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
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    // The content of a mail must not make this process read a file or load a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const toMailbox = ({ address, name }: MailAddress): { address: string; name: string } => ({
  address,
  name: name ?? '',
});
