/** Joins the class names that are set. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');

/** Joins the ids that are set for aria-describedby, or returns undefined when none is. */
export const idList = (...ids: readonly (string | false | null | undefined)[]): string | undefined =>
  classNames(...ids) || undefined;
