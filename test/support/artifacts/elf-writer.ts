/** A 64-bit library (ELF) with loaded segments of these alignments, and without content. */
export function elf(alignments: readonly bigint[], options: { readonly class?: number } = {}): Buffer {
  const header = Buffer.alloc(64);
  header.write('\u007fELF', 'latin1');
  header.set([options.class ?? 2, 1, 1], 4);
  header.writeBigUInt64LE(64n, 32);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(alignments.length + 1, 56);
  const segment = (type: number, alignment: bigint): Buffer => {
    const bytes = Buffer.alloc(56);
    bytes.writeUInt32LE(type, 0);
    bytes.writeBigUInt64LE(alignment, 48);
    return bytes;
  };
  // PT_PHDR, which is not loaded, has a small alignment.
  return Buffer.concat([header, segment(6, 8n), ...alignments.map((alignment) => segment(1, alignment))]);
}
