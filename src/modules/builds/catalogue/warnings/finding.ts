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
