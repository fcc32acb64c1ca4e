import { validateXML } from 'xmllint-wasm';

const elements = (names: readonly string[], content: string): string =>
  names.map((name) => `<element name="${name}">${content}</element>`).join('');

/** Apple's DTD (PropertyList-1.0) as RELAX NG, because this build of libxml2 cannot validate against a DTD. */
const GRAMMAR = `<grammar xmlns="http://relaxng.org/ns/structure/1.0">
  <start><element name="plist"><optional><attribute name="version"/></optional><ref name="object"/></element></start>
  <define name="object"><choice>
    ${elements(['array'], '<zeroOrMore><ref name="object"/></zeroOrMore>')}
    ${elements(['dict'], `<zeroOrMore>${elements(['key'], '<text/>')}<ref name="object"/></zeroOrMore>`)}
    ${elements(['data', 'date', 'integer', 'real', 'string'], '<text/>')}
    ${elements(['true', 'false'], '<empty/>')}
  </choice></define>
</grammar>`;

/** An empty DTD under Apple's address, because the sandbox has no network. Only entities would be read, and Apple's DTD declares none. */
const DTD = { fileName: 'http://www.apple.com/DTDs/PropertyList-1.0.dtd', contents: '' };

/** Separates the texts in the output. It does not occur in our property lists. */
const EDGE = '\ufffd';

/** Replaces line feeds, because the output loses a byte order mark after one. */
export const LINE_FEED = '\u{10ffff}';

/** XPath of the string after a key. */
export const textBehind = (key: string): string => `//key[. = "${key}"]/following-sibling::string[1]`;

export interface ReadPlists {
  /** Errors of xmllint. Empty when all lists are well-formed and valid. */
  readonly complaints: string;
  /** The text at each place of each list. Empty when a list is not well-formed. */
  readonly texts: readonly string[][];
}

/**
 * Reads and validates property lists with xmllint of libxml2.
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
