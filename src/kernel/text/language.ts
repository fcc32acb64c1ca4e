/** The languages of mails. The first is the default. */
export const LANGUAGES = ['en', 'de'] as const;

/** A language tag (RFC 5646). */
export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = LANGUAGES[0];
