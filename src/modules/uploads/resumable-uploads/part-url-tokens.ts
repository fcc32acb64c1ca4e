import { Injectable } from '@nestjs/common';
import { type Clock } from '#kernel/context/clock';
import { type ProjectScope } from '#kernel/context/scope';
import { HttpConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';

const CONTEXT = 'upload-part';
/** A sealed token is about 260 characters long. */
const FORM = /^[A-Za-z0-9_-]{64,512}$/;

/** The content of a token: it permits sending one part of one upload until it expires. */
export interface PartUrlToken extends ProjectScope {
  readonly id: string;
  readonly partNumber: number;
  readonly expiresAt: Date;
}

/**
 * Part URLs of this service, for stores that cannot sign URLs. The token in the URL is the entire credential, like a store's
 * signature, so that clients treat all stores alike. Tokens are sealed (encrypted and authenticated) and not stored.
 */
@Injectable()
export class PartUrlTokens {
  constructor(
    private readonly sealer: Sealer,
    private readonly config: HttpConfig,
  ) {}

  /** An absolute URL. */
  urlOf(token: PartUrlToken): string {
    return `${this.config.baseUrl}${this.routeOf(token)}`;
  }

  /** The path of the URL, for pages of this service's own origin. */
  pathOf(token: PartUrlToken): string {
    return new URL(this.urlOf(token)).pathname;
  }

  /** The content of a token; null when the token is invalid or has expired. */
  open(token: string, clock: Clock): PartUrlToken | null {
    if (!FORM.test(token)) return null;
    const [organizationId, projectId, id, partNumber, expires] = this.unseal(token) ?? [];
    if (!organizationId || !projectId || !id || !partNumber || !expires) return null;
    const expiresAt = new Date(expires);
    return expiresAt > clock.now() ? { organizationId, projectId, id, partNumber, expiresAt } : null;
  }

  private routeOf({ organizationId, projectId, id, partNumber, expiresAt }: PartUrlToken): string {
    const plain = JSON.stringify([organizationId, projectId, id, partNumber, expiresAt.getTime()]);
    const token = this.sealer.seal(Buffer.from(plain), CONTEXT).toString('base64url');
    return `/api/v1/builds/uploads/parts/${token}`;
  }

  private unseal(token: string): [string, string, string, number, number] | null {
    const sealed = Buffer.from(token, 'base64url');
    // The last character of base64 may have unused bits: without this check, several tokens would open the same content.
    if (sealed.toString('base64url') !== token) return null;
    try {
      return JSON.parse(this.sealer.open(sealed, CONTEXT).toString()) as [string, string, string, number, number];
    } catch {
      return null;
    }
  }
}
