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
  /** All programs of an iOS app that are unpacked up to their signatures, and all frameworks and libraries. */
  programBytes: 48 * MIB,
  libraryBytes: 8 * MIB,
  /** The number of bytes that are read of the head of each architecture. */
  executableHeadBytes: 64 * KIB,
  /** The longest code signature that is read. That of an executable of 400 MB has 4 MB. */
  codeSignatureBytes: 4 * MIB,
  /** The longest list of resources whose hash is compared. Its files are compared up to `plistBytes`. */
  codeResourcesBytes: 8 * MIB,
  /** Blobs of a code signature. Signers write seven at most. */
  codeSignatureBlobs: 32,
  /**
   * The maximum CPU time and total time for unpacking executables, and the longest time that counts for one block. When the time is
   * over, further executables count as unread.
   */
  executableWorkMs: 1_500,
  executableTotalMs: 20_000,
  executableBlockMs: 300,
  /** Bundles in an iOS app whose signatures are checked, and what is read for that from the store, without the executables. */
  nestedBundles: 60,
  nestedFetchedBytes: 48 * MIB,
  /** Problems of code signatures that are listed. */
  codeProblems: 30,
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
