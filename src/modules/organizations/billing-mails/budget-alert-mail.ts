import { translatedMail } from '#infra/mail/render-mail';

export interface BudgetAlertMailData {
  readonly organization: string;
  /** Such as `2026-11`. */
  readonly period: string;
  readonly percent: number;
  /** In US dollars. */
  readonly spent: string;
  /** In US dollars. */
  readonly budget: string;
}

export const BUDGET_ALERT_MAIL = translatedMail<BudgetAlertMailData>({
  en: ({ organization, period, percent, spent, budget }) => ({
    subject: `${organization} has used ${percent} % of its budget`,
    title: `${organization} has used ${percent} % of its budget`,
    paragraphs: [
      `In ${period} the organization ${organization} has used ${spent} of ${budget} USD for storage, uploads and downloads, including those in progress.`,
      'At 100 % new uploads and downloads are rejected until there is more credit, a higher spend cap, or a new month. Stored builds are kept.',
    ],
  }),
  de: ({ organization, period, percent, spent, budget }) => ({
    subject: `${organization} hat ${percent} % des Budgets verbraucht`,
    title: `${organization} hat ${percent} % des Budgets verbraucht`,
    paragraphs: [
      `Im Zeitraum ${period} hat die Organisation ${organization} ${spent} von ${budget} USD für Speicher, Uploads und Downloads verbraucht, laufende eingeschlossen.`,
      'Ab 100 % werden neue Uploads und Downloads abgelehnt, bis es mehr Guthaben, eine höhere Ausgabengrenze oder einen neuen Monat gibt. Gespeicherte Builds bleiben erhalten.',
    ],
  }),
});
