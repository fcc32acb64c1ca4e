const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds on what an artifact may make us read, unpack and remember. Sizes in bytes. */
export const LIMITS = {
  /** Central directory entries of one archive. */
  zipEntries: 100_000,
  zipNameBytes: 4 * KIB,
  /** Sum of the declared uncompressed sizes. */
  zipDeclaredBytes: 4 * 1024 * MIB,
  /** Uncompressed : compressed, of an entry that is read and of the archive as a whole. */
  zipRatio: 200,
  /** Below this nothing is a bomb, whatever its ratio. */
  zipRatioFreeBytes: 64 * KIB,
  /** Everything unpacked during one inspection. */
  zipInflatedBytes: 48 * MIB,
  /** Everything asked from the storage during one inspection. */
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
  /** Markup of an XML plist: the XML library spends a kilobyte or two on each. */
  xmlNodes: 20_000,
  /** Text taken out of one string pool or property list: strings may lie on top of each other. */
  textBytes: 4 * MIB,
  derElements: 10_000,
  nameLength: 200,
  versionLength: 128,
} as const;
