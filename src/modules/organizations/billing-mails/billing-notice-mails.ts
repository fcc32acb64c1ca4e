import { type Language } from '#kernel/text/language';
import { utcDate } from '#kernel/text/utc-date';
import { type MailLink } from '#infra/mail/mail-parts';
import { translatedMail } from '#infra/mail/render-mail';

/** The way in which an organization gets credit: an operator approves a top-up, or a payment provider takes the payment. */
type PaymentWay = 'manual' | 'stripe';

/** What every mail about billing names. */
interface BillingMailData {
  readonly organization: string;
  /** The period of the fee or charge, for example `2026-12`. */
  readonly period: string;
  /** The screen for billing. Null on a service without a dashboard. */
  readonly billingUrl: string | null;
}

const button = (url: string | null, label: string): readonly MailLink[] => (url === null ? [] : [{ url, label }]);
/** `$100.00`, `100,00 $`: whole cents, as the dashboard shows them. */
const money = (sum: string, language: Language): string =>
  Number(sum).toLocaleString(language === 'en' ? 'en-US' : language, { style: 'currency', currency: 'USD' });

/** `December 2026` */
const month = (period: string, language: Language): string =>
  new Date(`${period}-01`).toLocaleDateString(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });

const BUTTON_EN = 'Open billing';
const BUTTON_DE = 'Abrechnung öffnen';

interface ExhaustedMailData extends BillingMailData {
  readonly cause: 'fee' | 'storage';
  /** In US dollars, like the other sums. */
  readonly charge: string;
  readonly balance: string;
  /** Null on a prepaid plan. */
  readonly cap: string | null;
  readonly payment: PaymentWay;
}

interface FeeMailData extends BillingMailData {
  /** The day on which the fee is charged, such as `2026-12-01`. */
  readonly day: string;
  /** In US dollars, like the balance. */
  readonly fee: string;
  readonly balance: string;
  readonly payment: PaymentWay;
}

const TOP_UP_EN = {
  manual:
    'What to do: request a top-up in the billing settings of the organization. An operator of this service approves it.',
  stripe: 'What to do: buy credit with a top-up in the billing settings of the organization.',
} as const;

const TOP_UP_DE = {
  manual:
    'Was zu tun ist: Fordern Sie in den Abrechnungseinstellungen der Organisation eine Aufladung an. Ein Betreiber dieses Dienstes gibt sie frei.',
  stripe: 'Was zu tun ist: Kaufen Sie Guthaben mit einer Aufladung in den Abrechnungseinstellungen der Organisation.',
} as const;

export const EXHAUSTED_MAIL = translatedMail<ExhaustedMailData>({
  en: ({ organization, period, billingUrl, cause, charge, balance, cap, payment }) => ({
    subject: `${organization} can no longer upload or download builds`,
    title: `${organization} can no longer upload or download builds`,
    paragraphs: [
      `The ${cause === 'fee' ? 'fee of the plan' : 'storage'} for ${month(period, 'en')}, ${money(charge, 'en')}, has used up what ${organization} had available for uploads and downloads. ` +
        (cap === null
          ? `The balance is ${money(balance, 'en')}.`
          : `The spend cap of ${money(cap, 'en')} a month is reached.`),
      'What stops: new uploads and downloads, also by testers, are rejected. What stays: builds, links, members and testers. Storage is still charged.',
      cap === null
        ? TOP_UP_EN[payment]
        : 'What to do: raise the spend cap in the billing settings of the organization, ask the operators of this service for a higher one, or wait for the next month.',
      ...button(billingUrl, BUTTON_EN),
    ],
  }),
  de: ({ organization, period, billingUrl, cause, charge, balance, cap, payment }) => ({
    subject: `${organization} kann keine Builds mehr hoch- oder herunterladen`,
    title: `${organization} kann keine Builds mehr hoch- oder herunterladen`,
    paragraphs: [
      `${cause === 'fee' ? 'Die Gebühr des Tarifs' : 'Der Speicher'} für ${month(period, 'de')}, ${money(charge, 'de')}, hat aufgebraucht, was ${organization} für Uploads und Downloads zur Verfügung hatte. ` +
        (cap === null
          ? `Das Guthaben beträgt ${money(balance, 'de')}.`
          : `Die Ausgabengrenze von ${money(cap, 'de')} im Monat ist erreicht.`),
      'Was nicht mehr geht: Neue Uploads und Downloads, auch die von Testern, werden abgelehnt. Was bleibt: Builds, Links, Mitglieder und Tester. Speicher wird weiter berechnet.',
      cap === null
        ? TOP_UP_DE[payment]
        : 'Was zu tun ist: Erhöhen Sie die Ausgabengrenze in den Abrechnungseinstellungen der Organisation, bitten Sie die Betreiber dieses Dienstes um eine höhere, oder warten Sie auf den nächsten Monat.',
      ...button(billingUrl, BUTTON_DE),
    ],
  }),
});

export const FEE_MAIL = translatedMail<FeeMailData>({
  en: ({ organization, period, billingUrl, day, fee, balance, payment }) => ({
    subject: `${organization} needs credit before ${utcDate(new Date(day), 'en')}`,
    title: `${organization} needs credit before ${utcDate(new Date(day), 'en')}`,
    paragraphs: [
      `On ${utcDate(new Date(day), 'en')} (UTC) the fee of the plan for ${month(period, 'en')} is charged: ${money(fee, 'en')}. The balance of ${organization} is ${money(balance, 'en')}, so nothing will be left for uploads and downloads.`,
      `What stops on ${utcDate(new Date(day), 'en')}: new uploads and downloads, also by testers, are rejected. What stays: builds, links, members and testers.`,
      TOP_UP_EN[payment],
      ...button(billingUrl, BUTTON_EN),
    ],
  }),
  de: ({ organization, period, billingUrl, day, fee, balance, payment }) => ({
    subject: `${organization} braucht Guthaben vor dem ${utcDate(new Date(day), 'de')}`,
    title: `${organization} braucht Guthaben vor dem ${utcDate(new Date(day), 'de')}`,
    paragraphs: [
      `Am ${utcDate(new Date(day), 'de')} (UTC) wird die Gebühr des Tarifs für ${month(period, 'de')} berechnet: ${money(fee, 'de')}. Das Guthaben von ${organization} beträgt ${money(balance, 'de')}, so dass für Uploads und Downloads nichts übrig bleibt.`,
      `Was ab dem ${utcDate(new Date(day), 'de')} nicht mehr geht: Neue Uploads und Downloads, auch die von Testern, werden abgelehnt. Was bleibt: Builds, Links, Mitglieder und Tester.`,
      TOP_UP_DE[payment],
      ...button(billingUrl, BUTTON_DE),
    ],
  }),
});

interface BudgetAlertMailData extends BillingMailData {
  readonly percent: number;
  /** In US dollars. */
  readonly spent: string;
  /** In US dollars. */
  readonly budget: string;
}

export const BUDGET_ALERT_MAIL = translatedMail<BudgetAlertMailData>({
  en: ({ organization, period, billingUrl, percent, spent, budget }) => ({
    subject: `${organization} has used ${percent} % of its budget`,
    title: `${organization} has used ${percent} % of its budget`,
    paragraphs: [
      `In ${month(period, 'en')} the organization ${organization} has used ${money(spent, 'en')} of ${money(budget, 'en')} for storage, uploads and downloads, including those in progress.`,
      'At 100 % new uploads and downloads are rejected until there is more credit, a higher spend cap, or a new month. Stored builds are kept.',
      ...button(billingUrl, BUTTON_EN),
    ],
  }),
  de: ({ organization, period, billingUrl, percent, spent, budget }) => ({
    subject: `${organization} hat ${percent} % des Budgets verbraucht`,
    title: `${organization} hat ${percent} % des Budgets verbraucht`,
    paragraphs: [
      `Im ${month(period, 'de')} hat die Organisation ${organization} ${money(spent, 'de')} von ${money(budget, 'de')} für Speicher, Uploads und Downloads verbraucht, laufende eingeschlossen.`,
      'Ab 100 % werden neue Uploads und Downloads abgelehnt, bis es mehr Guthaben, eine höhere Ausgabengrenze oder einen neuen Monat gibt. Gespeicherte Builds bleiben erhalten.',
      ...button(billingUrl, BUTTON_DE),
    ],
  }),
});
