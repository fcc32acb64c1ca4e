import { translatedMail } from '#infra/mail/render-mail';

export interface MailLimitData {
  readonly organization: string;
  readonly limit: number;
  /** Whether the limit is the lower one of organizations that have only trial credit. */
  readonly onTrial: boolean;
}

/** Tells the people in charge that mails to testers wait. */
export const MAIL_LIMIT_MAIL = translatedMail<MailLimitData>({
  en: ({ organization, limit, onTrial }) => ({
    subject: `Mails to testers of ${organization} wait`,
    title: `Mails to testers of ${organization} wait`,
    paragraphs: [
      `The organization ${organization} has sent ${limit} mails to testers today, which is its limit. Further mails wait and are sent on the next days, as soon as there is room. None is lost.`,
      ...(onTrial
        ? ['The limit is this low because the organization has only trial credit. It rises with the first paid top-up.']
        : []),
      'Did you not expect so many mails? The audit feed shows who promoted builds and imported testers.',
    ],
  }),
  de: ({ organization, limit, onTrial }) => ({
    subject: `E-Mails an Tester von ${organization} warten`,
    title: `E-Mails an Tester von ${organization} warten`,
    paragraphs: [
      `Die Organisation ${organization} hat heute ${limit} E-Mails an Tester verschickt; das ist ihre Grenze. Weitere E-Mails warten und werden in den nächsten Tagen verschickt, sobald Platz ist. Keine geht verloren.`,
      ...(onTrial
        ? [
            'Die Grenze ist so niedrig, weil die Organisation nur Startguthaben hat. Sie steigt mit der ersten bezahlten Aufladung.',
          ]
        : []),
      'Haben Sie nicht so viele E-Mails erwartet? Das Audit-Protokoll zeigt, wer Versionen freigegeben und Tester importiert hat.',
    ],
  }),
});
