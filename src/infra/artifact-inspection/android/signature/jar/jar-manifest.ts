/** A section of a manifest or signature file: its attributes, and its bytes with the line that ends it. */
export interface JarSection {
  /** The values by lower-case name; the first one counts. Names and values are decoded as latin1, one character per byte. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
}

/** Reads the sections of `MANIFEST.MF` or a `.SF` file (JAR File Specification). The first one is the main section. */
export function readSections(bytes: Buffer): JarSection[] {
  const sections: JarSection[] = [];
  let lines: string[] = [];
  let start = 0;
  const finish = (end: number): void => {
    if (lines.length > 0) sections.push({ attributes: attributesOf(lines), bytes: bytes.subarray(start, end) });
    lines = [];
  };
  for (let at = 0; at < bytes.length;) {
    const { end, next } = lineAt(bytes, at);
    if (end === at) {
      finish(next);
    } else {
      if (lines.length === 0) start = at;
      addLine(lines, bytes.toString('latin1', at, end));
    }
    at = next;
  }
  finish(bytes.length);
  return sections;
}

/** A line ends with CR, LF or both. */
function lineAt(bytes: Buffer, at: number): { readonly end: number; readonly next: number } {
  for (let end = at; end < bytes.length; end += 1) {
    if (bytes[end] === 0x0a) return { end, next: end + 1 };
    if (bytes[end] === 0x0d) return { end, next: bytes[end + 1] === 0x0a ? end + 2 : end + 1 };
  }
  return { end: bytes.length, next: bytes.length };
}

/** A line that begins with a space continues the line before it. */
function addLine(lines: string[], line: string): void {
  const last = lines.length - 1;
  if (line.startsWith(' ') && last >= 0) lines[last] += line.slice(1);
  else lines.push(line);
}

function attributesOf(lines: readonly string[]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(': ');
    const name = (at < 0 ? line : line.slice(0, at)).toLowerCase();
    if (!attributes.has(name)) attributes.set(name, at < 0 ? '' : line.slice(at + 2));
  }
  return attributes;
}
