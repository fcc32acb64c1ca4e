/** A problem that devices will have with an artifact, for its developer. Codes are part of the API. */
export interface ArtifactWarning {
  readonly code: string;
  readonly message: string;
}

/** A warning, and whether it makes the artifact not installable. */
export interface Finding extends ArtifactWarning {
  /** Whether no device can install the artifact. */
  readonly blocks: boolean;
}

export const blocking = (code: string, message: string): Finding => ({ code, message, blocks: true });
export const advice = (code: string, message: string): Finding => ({ code, message, blocks: false });

/** The time before an expiry in which a warning announces it. */
export const SOON_MS = 30 * 86_400_000;

/** The warning that something expires soon or has expired. None earlier, and for `null`. */
export function expiryFinding(at: Date | null, now: Date, { what, code }: { what: string; code: string }): Finding[] {
  if (at === null) return [];
  const leftMs = at.getTime() - now.getTime();
  if (leftMs > SOON_MS) return [];
  const day = at.toISOString().slice(0, 10);
  if (leftMs <= 0) return [blocking(`${code}_expired`, `The ${what} expired on ${day}. Renew it and build again.`)];
  return [
    advice(
      `${code}_expires_soon`,
      `The ${what} expires on ${day}. The app stops launching then: renew it and build again.`,
    ),
  ];
}
