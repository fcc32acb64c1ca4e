import { validateXML } from 'xmllint-wasm';

const elements = (names: readonly string[], content: string): string =>
  names.map((name) => `<element name="${name}">${content}</element>`).join('');

/** The grammar of Apple's DTD (PropertyList-1.0) in RELAX NG: this libxml2 is built without validation by DTD. */
const GRAMMAR = `<grammar xmlns="http://relaxng.org/ns/structure/1.0">
  <start><element name="plist"><optional><attribute name="version"/></optional><ref name="object"/></element></start>
  <define name="object"><choice>
    ${elements(['array'], '<zeroOrMore><ref name="object"/></zeroOrMore>')}
    ${elements(['dict'], `<zeroOrMore>${elements(['key'], '<text/>')}<ref name="object"/></zeroOrMore>`)}
    ${elements(['data', 'date', 'integer', 'real', 'string'], '<text/>')}
    ${elements(['true', 'false'], '<empty/>')}
  </choice></define>
</grammar>`;

/** Found by its address, for there is no network in there. Only entities are taken from it, and Apple's declares none. */
const DTD = { fileName: 'http://www.apple.com/DTDs/PropertyList-1.0.dtd', contents: '' };

/** Stands before every text in the output, and behind the last: a property list of ours never holds it. */
const EDGE = '\ufffd';

/** How a line feed is shown: the output loses a byte order mark behind one. */
export const LINE_FEED = '\u{10ffff}';

/** Where in a property list the text behind a key is. */
export const textBehind = (key: string): string => `//key[. = "${key}"]/following-sibling::string[1]`;

export interface ReadPlists {
  /** What xmllint has against them; empty when all are well-formed and valid by Apple's grammar. */
  readonly complaints: string;
  /** Of each, the text at every place; none when one is not well-formed. */
  readonly texts: readonly string[][];
}

/**
 * How xmllint, the tool of libxml2, reads property lists.
 * @param places XPath
 */
export async function readPlists(plists: readonly string[], places: readonly string[]): Promise<ReadPlists> {
  const cells = places.map((place) => `"${EDGE}", translate(${place}, "\n", "${LINE_FEED}")`);
  const xpath = `concat(${cells.join()}, "${EDGE}")`;
  const { normalized, rawOutput } = await validateXML({
    xml: plists.map((plist, index) => ({ fileName: `${index}.plist`, contents: Buffer.from(plist) })),
    schema: GRAMMAR,
    extension: 'relaxng',
    preload: DTD,
    modifyArguments: (files) => ['--quiet', '--xpath', xpath, ...files],
  }).catch((error: Error) => ({ normalized: '', rawOutput: error.message }));
  const shown = normalized.split(EDGE);
  const width = places.length + 1;
  const texts = plists.map((_, row) => shown.slice(row * width + 1, (row + 1) * width));
  return { complaints: rawOutput, texts };
}
