const PREFIX = 'draft:';

/** Texts that were typed and not sent yet. They survive a reload and an expired session in this tab. */
export const drafts = {
  read: (key: string): string | null => attempt(() => sessionStorage.getItem(PREFIX + key)),
  keep: (key: string, text: string): void => void attempt(() => sessionStorage.setItem(PREFIX + key, text)),
  forget: (key: string): void => void attempt(() => sessionStorage.removeItem(PREFIX + key)),
};

/** The texts of several fields by their names, as one draft. */
export const fieldDrafts = {
  read: (key: string): Readonly<Record<string, string>> =>
    attempt(() => JSON.parse(drafts.read(key) ?? '{}') as Record<string, string>) ?? {},
  keep: (key: string, texts: Readonly<Record<string, string>>): void => drafts.keep(key, JSON.stringify(texts)),
};

/** Some browsers block storage. A draft is then lost with the page. */
function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
