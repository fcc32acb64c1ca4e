const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits on what the inspection of one artifact reads, unpacks and keeps in memory. Sizes in bytes. */
export const LIMITS = {
  /** Entries of the central directory. */
  zipEntries: 100_000,
  zipNameBytes: 4 * KIB,
  /** Sum of the declared uncompressed sizes. */
  zipDeclaredBytes: 4 * 1024 * MIB,
  /** Maximum ratio of uncompressed to compressed size, for each entry that is read and for the whole archive. */
  zipRatio: 200,
  /** Up to this uncompressed size, the ratio is not checked. */
  zipRatioFreeBytes: 64 * KIB,
  /** Sum of everything unpacked. */
  zipInflatedBytes: 48 * MIB,
  /** Sum of everything read from the store. */
  fetchedBytes: 128 * MIB,
  plistBytes: MIB,
  manifestBytes: MIB,
  profileBytes: 512 * KIB,
  signatureFileBytes: MIB,
  signingBlockBytes: 8 * MIB,
  certificateBytes: 64 * KIB,
  resourceTableBytes: 16 * MIB,
  iconBytes: 4 * MIB,
  servedIconBytes: MIB,
  iconSide: 1024,
  iconCandidates: 6,
  treeDepth: 64,
  treeNodes: 100_000,
  /** Tags, comments and sections of an XML plist: the XML library needs one or two kilobytes for each. */
  xmlNodes: 20_000,
  /** Sum of the strings read from one string pool or property list, because strings in a file can overlap. */
  textBytes: 4 * MIB,
  derElements: 10_000,
  nameLength: 200,
  versionLength: 128,
} as const;
