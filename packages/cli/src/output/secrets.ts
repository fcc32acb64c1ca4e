const SHOWN_CHARACTERS = 6;
const TOKENS = /\bag_[a-z]{3}_\w+/g;
/** Signatures in addresses of stores: S3 and Azure. */
const SIGNATURES = /([?&](?:X-Amz-Signature|X-Amz-Credential|X-Amz-Security-Token|sig|token|ticket)=)[^&\s"']+/gi;

/** Removes credentials from text that people or logs may see. */
export class Secrets {
  private readonly known = new Set<string>();

  /** Adds a value that must not be shown. */
  add(secret: string): void {
    if (secret.length > SHOWN_CHARACTERS) this.known.add(secret);
  }

  mask(text: string): string {
    let masked = text;
    for (const secret of this.known) masked = masked.replaceAll(secret, shortened(secret));
    return masked.replace(TOKENS, shortened).replace(SIGNATURES, '$1…');
  }
}

const shortened = (secret: string): string => `${secret.slice(0, SHOWN_CHARACTERS)}…`;
