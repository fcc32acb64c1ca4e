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
  /** Sum of everything read from the store. */
  fetchedBytes: 128 * MIB,
  plistBytes: MIB,
  manifestBytes: MIB,
  profileBytes: 512 * KIB,
  signatureFileBytes: MIB,
  signingBlockBytes: 8 * MIB,
  /**
   * The maximum number of bytes that the verification of a signature reads again and hashes. Larger packages need digests from their
   * upload.
   */
  verifiedBytes: 512 * MIB,
  /** Maximum CPU time and total time of the verification of a signature. When one is exceeded, the signature counts as not checked. */
  verificationWorkMs: 2_000,
  verificationTotalMs: 20_000,
  /** Scheme v1: the manifest, a file, and all files, packed and unpacked. */
  jarManifestBytes: 16 * MIB,
  jarFileBytes: 32 * MIB,
  jarContentBytes: 128 * MIB,
  /** Scheme v1: everything that is unpacked, and the block in which the files are read. */
  jarUnpackedBytes: 192 * MIB,
  jarReadBytes: 2 * MIB,
  /** The part of a fat executable in which architectures are searched, and the number of bytes that are read of each. */
  fatExecutableBytes: 64 * MIB,
  executableHeadBytes: 32 * KIB,
  /**
   * The maximum time for searching a fat executable, without waiting for the store. When it is exceeded, the executable counts as
   * unread.
   */
  fatExecutableWorkMs: 1_500,
  /** The number of native libraries whose start is read, and the bytes that are read for them. */
  libraryHeads: 64,
  libraryHeadBytes: 2 * MIB,
  certificateBytes: 64 * KIB,
  resourceTableBytes: 16 * MIB,
  iconBytes: 4 * MIB,
  servedIconBytes: MIB,
  iconSide: 1024,
  iconCandidates: 6,
  treeDepth: 64,
  /** For the whole artifact (`WorkBudget`): visited elements, references, fields and chunks of all files, except the zip directory. */
  elements: 100_000,
  /** For the whole artifact: texts and data of all string pools and property lists, counted once for every reference. */
  textBytes: 6 * MIB,
  /** For the whole artifact: bytes that are decompressed, decoded or copied. */
  unpackedBytes: 64 * MIB,
  nameLength: 200,
  /** Permissions, usage descriptions and entitlements, each. */
  facts: 200,
  factLength: 500,
  entitlementValues: 10,
  devices: 1000,
  /** The number of the largest files of an app that are listed, and the maximum length of their paths. */
  contentFiles: 300,
  contentPathLength: 150,
  versionLength: 128,
} as const;
