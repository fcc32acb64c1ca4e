const HARMLESS_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’-]{0,39}$/u;

/** Whether a name that a person chose can stand in a mail to a stranger: it has no room for a message, and no character of a link. */
export const isHarmlessName = (name: string): boolean => HARMLESS_NAME.test(name);
