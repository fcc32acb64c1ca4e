import { Injectable } from '@nestjs/common';
import { type ProjectScope } from '#kernel/context/scope';
import { type Clock } from '#kernel/context/clock';
import { HttpConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';

const CONTEXT = 'upload-part';
/** A sealed ticket is about 260 characters long. */
const FORM = /^[A-Za-z0-9_-]{64,512}$/;

/** Leave to send one part of one upload, until it ends. */
export interface PartTicket extends ProjectScope {
  readonly id: string;
  readonly partNumber: number;
  readonly expiresAt: Date;
}

/**
 * Addresses of this service that take a part, for stores that sign none. The ticket in them is the entire credential, as a store's
 * signature is, so that a client treats all stores alike. It is sealed, not stored: whoever changes a character of it has nothing.
 */
@Injectable()
export class PartUrlTokens {
  constructor(
    private readonly sealer: Sealer,
    private readonly config: HttpConfig,
  ) {}

  urlOf({ organizationId, projectId, id, partNumber, expiresAt }: PartTicket): string {
    const plain = JSON.stringify([organizationId, projectId, id, partNumber, expiresAt.getTime()]);
    const ticket = this.sealer.seal(Buffer.from(plain), CONTEXT).toString('base64url');
    return `${this.config.baseUrl}/api/v1/builds/uploads/parts/${ticket}`;
  }

  /** Null for a ticket that never was, was changed, or has run out. */
  open(ticket: string, clock: Clock): PartTicket | null {
    if (!FORM.test(ticket)) return null;
    const [organizationId, projectId, id, partNumber, expires] = this.unseal(ticket) ?? [];
    if (!organizationId || !projectId || !id || !partNumber || !expires) return null;
    const expiresAt = new Date(expires);
    return expiresAt > clock.now() ? { organizationId, projectId, id, partNumber, expiresAt } : null;
  }

  private unseal(ticket: string): [string, string, string, number, number] | null {
    const sealed = Buffer.from(ticket, 'base64url');
    // The last character of base64 may say nothing: another one there would be the same ticket.
    if (sealed.toString('base64url') !== ticket) return null;
    try {
      return JSON.parse(this.sealer.open(sealed, CONTEXT).toString()) as [string, string, string, number, number];
    } catch {
      return null;
    }
  }
}
