import { AppError } from '#kernel/errors/app-error';

/** The messages of all inspection errors by `details.reason`, shown to the uploader. Reasons are part of the API. */
export const INSPECTION_ERRORS = {
  empty_file: 'The file is empty. Upload the complete file.',
  unsupported_type: 'Files of this type cannot be distributed. Upload a package that devices can install.',
  not_an_archive: 'The file is not a readable archive. It may be truncated or renamed: build or copy it again.',
  corrupt_archive: 'The archive is damaged: its directory does not match its contents. Build or copy it again.',
  encrypted_archive: 'The archive is encrypted. Upload it without a password.',
  unsupported_compression:
    'The archive uses a compression method that devices do not support. Compress it with deflate.',
  unsafe_path:
    'The archive contains a path that leads outside of it, or a symbolic link in place of a file. Remove it and build again.',
  duplicate_entry: 'The archive contains the same file twice. Remove one of them and build again.',
  too_many_entries: 'The archive contains too many files for an app. Remove files and build again.',
  archive_too_large: 'The archive unpacks to more than 4 GB. Remove files and build again.',
  compression_bomb:
    'The archive unpacks to far more data than an app contains. Remove the oversized files and build again.',
  entry_too_large: 'A file that describes the app is too large. Check its contents and build again.',
  wrong_type: 'The content does not match the file extension. Rename the file, or upload the right one.',
  no_app: 'The archive contains no app. Upload an app package.',
  several_apps: 'The archive contains more than one app. Upload them one by one.',
  wrapped_app: 'The app is in a subfolder of the archive. Zip the Payload folder itself, not its parent folder.',
  corrupt_info_plist: "The app's Info.plist cannot be read. Build the app again.",
  corrupt_manifest: "The app's AndroidManifest.xml cannot be read. Build the app again.",
  invalid_bundle_id: "The app's bundle id is missing or not valid on devices. Correct it and build again.",
  split_apk: 'This is one part of a split app. Upload the universal APK instead.',
  too_complex:
    'Reading the file takes more memory or time than any real app needs. Check its contents and build again.',
  unreadable: 'The file cannot be read as the kind of app its name claims. Build or copy it again.',
} as const satisfies Record<string, string>;

export type InspectionErrorReason = keyof typeof INSPECTION_ERRORS;

/** `invalid_input` with a reason of {@link INSPECTION_ERRORS}. @param cause is only logged. */
export function inspectionError(
  reason: InspectionErrorReason,
  message: string = INSPECTION_ERRORS[reason],
  cause?: unknown,
): AppError {
  return new AppError('invalid_input', { message, details: { reason }, cause });
}

/**
 * Runs a parser. Maps every exception (out-of-range read, stack overflow, `unreadable`) to `reason`, which names what could not be read;
 * more specific inspection errors are rethrown.
 */
export function orReject<T>(reason: InspectionErrorReason, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const isSpecific = error instanceof AppError && error.details.reason !== 'unreadable';
    throw isSpecific ? error : inspectionError(reason, INSPECTION_ERRORS[reason], error);
  }
}

/** Reads optional data from the archive. Resolves with `null` when the file is the cause of a failure, except with `too_complex`. */
export async function nullIfDamaged<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    const isOfFile = error instanceof AppError && error.errorCase === 'invalid_input';
    if (!isOfFile || error.details.reason === 'too_complex') throw error;
    return null;
  }
}

/** Runs a parser of optional data. Returns `null` on any exception but `too_complex`, which rejects the artifact. */
export function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof AppError && error.details.reason === 'too_complex') throw error;
    return null;
  }
}
