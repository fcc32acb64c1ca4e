const HARMLESS_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’-]{0,39}$/u;

/** Whether a name that a person chose can stand in a mail to a stranger: it has no room for a message, and no character of a link. */
export const isHarmlessName = (name: string): boolean => HARMLESS_NAME.test(name);

/** As names of companies are written: `Acme (Europe) GmbH & Co. KG`. A full stop is not within a word, so no mail program makes a link of it. */
const HARMLESS_TITLE = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} &+,'’()!-]|\.(?=[ ,)]|$)){0,59}$/u;

/** Whether the name of an organization or project can stand in a mail to a stranger. */
export const isHarmlessTitle = (name: string): boolean => HARMLESS_TITLE.test(name);
