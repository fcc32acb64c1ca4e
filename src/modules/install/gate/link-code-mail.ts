import { translatedMail } from '#infra/mail/render-mail';
import { type MailNames } from '#modules/testers';
import { CODE_MINUTES } from './link-codes.repository';

interface LinkCodeMail {
  readonly names: MailNames;
  readonly code: string;
}

/** The code with which a tester proves their address at a link. It contains no link, so that a scanner of mails cannot use it. */
export const LINK_CODE_MAIL = translatedMail<LinkCodeMail>({
  en: ({ names, code }) => ({
    subject: `${code} is your code for ${names.project}`,
    eyebrow: names.project,
    title: `Your code: ${code}`,
    paragraphs: [
      `Enter the code ${code} on the page where you requested it. It is valid for ${CODE_MINUTES} minutes and works once.`,
      { footnote: 'You did not request a code? Then ignore this mail: without the code nothing happens.' },
    ],
    sentBy: names.organization,
  }),
  de: ({ names, code }) => ({
    subject: `${code} ist Ihr Code für ${names.project}`,
    eyebrow: names.project,
    title: `Ihr Code: ${code}`,
    paragraphs: [
      `Geben Sie den Code ${code} auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${CODE_MINUTES} Minuten lang und einmal.`,
      {
        footnote:
          'Sie haben keinen Code angefordert? Dann ignorieren Sie diese E-Mail: Ohne den Code geschieht nichts.',
      },
    ],
    sentBy: names.organization,
  }),
});
