import { Injectable } from '@nestjs/common';
import { isUuid } from '#kernel/ids';
import { HttpConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';

const CONTEXT = 'data-export';
const FORM = /^[A-Za-z0-9_-]{43,200}$/;

/**
 * Links to archives. The ticket in the link is the id of the export, sealed (encrypted and authenticated), and the entire credential. It is
 * not stored, and opens nothing once the row of the export is deleted.
 */
@Injectable()
export class DataExportLinks {
  constructor(
    private readonly sealer: Sealer,
    private readonly config: HttpConfig,
  ) {}

  urlOf(id: string): string {
    const ticket = this.sealer.seal(Buffer.from(id), CONTEXT).toString('base64url');
    return `${this.config.baseUrl}/api/v1/exports/${ticket}`;
  }

  /** The id of the export; null when the ticket is invalid. */
  open(ticket: string): string | null {
    if (!FORM.test(ticket)) return null;
    const sealed = Buffer.from(ticket, 'base64url');
    // The last character of base64 may have unused bits: without this check, several tickets would open alike.
    if (sealed.toString('base64url') !== ticket) return null;
    try {
      const id = this.sealer.open(sealed, CONTEXT).toString();
      return isUuid(id) ? id : null;
    } catch {
      return null;
    }
  }
}
