import { AppError } from '#kernel/errors/app-error';

/** THE table of `details.reason` words an inspection can refuse with, and what each says to the person who uploaded. */
export const INSPECTION_ERRORS = {
  empty_file: 'The file is empty.',
  unsupported_type: 'This kind of file cannot be distributed.',
  not_an_archive: 'The file is not a readable archive. It may have been cut off or renamed.',
  corrupt_archive: 'The archive is damaged: what it says about itself does not fit its contents.',
  encrypted_archive: 'The archive is encrypted. Upload it without a password.',
  unsupported_compression: 'The archive uses a compression method that devices do not unpack.',
  unsafe_path: 'The archive holds a name that leads outside of it, or a link where a file belongs.',
  duplicate_entry: 'The archive holds the same file twice.',
  too_many_entries: 'The archive holds more files than an app has.',
  archive_too_large: 'The archive would unpack to more than 4 GB.',
  compression_bomb: 'The archive unpacks to far more than an app does.',
  entry_too_large: 'A file that describes the app is larger than any real one.',
  wrong_type: 'The content is not what the file name says.',
  no_app: 'There is no app in the archive.',
  several_apps: 'There is more than one app in the archive. Upload them one by one.',
  wrapped_app: 'The app lies in a folder of the archive. Zip the Payload folder itself, not the folder around it.',
  corrupt_info_plist: "The app's Info.plist cannot be read.",
  corrupt_manifest: "The app's AndroidManifest.xml cannot be read.",
  invalid_bundle_id: "The app's bundle id is missing or is not one that a device accepts.",
  split_apk: 'This is one part of a split app. Upload the universal APK instead.',
  too_complex: 'Reading the file takes more memory or time than any real app needs.',
  unreadable: 'The file cannot be read as the app it claims to be.',
} as const satisfies Record<string, string>;

export type InspectionErrorReason = keyof typeof INSPECTION_ERRORS;

/** `400 invalid_input` with one of the reasons above; `cause` is for the log. */
export function inspectionError(
  reason: InspectionErrorReason,
  message: string = INSPECTION_ERRORS[reason],
  cause?: unknown,
): AppError {
  return new AppError('invalid_input', { message, details: { reason }, cause });
}

/**
 * Runs a parser: whatever it trips over (a read out of range, a stack that is full, its own `unreadable`) becomes the given
 * inspectionError, which says what it was that could not be read.
 */
export function orReject<T>(reason: InspectionErrorReason, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const exact = error instanceof AppError && error.details.reason !== 'unreadable';
    throw exact ? error : inspectionError(reason, INSPECTION_ERRORS[reason], error);
  }
}

/** Runs a parser of something that may be missing without harm: what it trips over becomes null. */
export function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
