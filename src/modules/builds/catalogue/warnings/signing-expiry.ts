/** The times in the metadata of an artifact, as dates or as stored text. */
interface SigningTimes {
  readonly platform: string;
  readonly expiresAt?: Date | string | null;
  readonly certificateExpiresAt?: Date | string | null;
}

/**
 * When devices stop launching the app: when its provisioning profile or its signing certificate expires, whichever is first. Null for
 * artifacts without such a time, as those for Android.
 */
export function signingExpiresAt(signing: SigningTimes | null | undefined): Date | null {
  const times = [signing?.expiresAt, signing?.certificateExpiresAt].flatMap((time) => (time ? [new Date(time)] : []));
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
}
