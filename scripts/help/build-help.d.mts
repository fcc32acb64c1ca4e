/** A rendered document. */
export interface Page {
  readonly file: string;
  readonly address: string;
  readonly title: string;
  readonly language: string;
  readonly html: string;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly { readonly address: string; readonly text: string; readonly section: string }[];
}

export function renderDocuments(root: string): {
  readonly pages: readonly Page[];
  /** Files that are sent as they are, by their addresses. */
  readonly plain: ReadonlyMap<string, Buffer>;
  readonly assets: ReadonlyMap<string, Buffer>;
};

export function buildHelp(root: string, output: string): void;
