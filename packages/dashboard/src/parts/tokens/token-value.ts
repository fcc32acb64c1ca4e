/** The format of project access tokens and personal access tokens. */
const VALUE = /\bag_(?:prj|pat)_[0-9A-Za-z]{49}\b/;

/** The whole token in a text, null when it has none. */
export const tokenIn = (text: string): string | null => VALUE.exec(text)?.[0] ?? null;
