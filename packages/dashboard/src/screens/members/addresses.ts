/** The distinct addresses in a text. Any other characters separate them; `Bob <bob@example.com>` is one. */
export function addressesIn(text: string): readonly string[] {
  const named = [...text.matchAll(/<([^<>\s]+)>/g)].map(([, address = '']) => address);
  const found = named.length > 0 ? named : text.split(/[\s,;]+/);
  const unique = new Map(found.filter(Boolean).map((address) => [address.toLowerCase(), address]));
  return [...unique.values()];
}
