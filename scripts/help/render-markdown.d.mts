export interface RenderedDocument {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  readonly ids: ReadonlySet<string>;
  readonly links: readonly { readonly address: string; readonly text: string; readonly section: string }[];
}

export function renderMarkdown(
  document: { readonly file: string; readonly markdown: string },
  places: {
    readonly linkTo: (file: string) => string | null;
    readonly image: (file: string) => { readonly address: string; readonly width: number; readonly height: number };
  },
): RenderedDocument;
