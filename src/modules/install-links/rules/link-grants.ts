import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer, SealError } from '#infra/crypto/sealer';
import { type GrantHolder, HOLDER_KINDS } from './grant-holders';

/** The time for which a grant is valid. */
export const GRANT_LIFETIME_MS = 30 * 60_000;

const MAX_LENGTH = 400;
const HEAD_BYTES = 13;

/** What a visitor of a link has proved. */
export interface LinkGrant {
  /** The version of the rules that the visitor met. */
  readonly version: number;
  /** Whether the visitor accepted the terms of the link. */
  readonly accepted: boolean;
  /** Null for a visitor who proved a password only, or accepted terms. */
  readonly holder: GrantHolder | null;
}

/** A grant as it stands in paths. */
export interface SealedGrant {
  readonly grant: string;
  readonly expiresAt: Date;
}

/**
 * Grants of links with rules. A grant is part of the path of everything below a link, because the installer of a phone is another process
 * than its browser and sends no cookie. It is not stored: it is sealed for its link, for half an hour, and for one version of the rules.
 */
@Injectable()
export class LinkGrants {
  constructor(private readonly sealer: Sealer) {}

  issue(ctx: RequestContext, linkId: string, { version, accepted, holder }: LinkGrant): SealedGrant {
    const expiresAt = new Date(ctx.clock.now().getTime() + GRANT_LIFETIME_MS);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(version, 0);
    head.writeBigUInt64BE(BigInt(expiresAt.getTime()), 4);
    head.writeUInt8(accepted ? 1 : 0, 12);
    const sealed = this.sealer.seal(Buffer.concat([head, bytesOf(holder)]), contextOf(linkId));
    return { grant: sealed.toString('base64url'), expiresAt };
  }

  /** @returns null for a grant of another link or version, one that has expired, and any other text. Does not throw. */
  open(ctx: RequestContext, linkId: string, version: number, text: string): LinkGrant | null {
    if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return null;
    const opened = this.unseal(linkId, text);
    if (opened === null || opened.readUInt32BE(0) !== version) return null;
    if (Number(opened.readBigUInt64BE(4)) <= ctx.clock.now().getTime()) return null;
    return { version, accepted: opened.readUInt8(12) === 1, holder: holderOf(opened.subarray(HEAD_BYTES)) };
  }

  private unseal(linkId: string, text: string): Buffer | null {
    try {
      return this.sealer.open(Buffer.from(text, 'base64url'), contextOf(linkId));
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }
}

const contextOf = (linkId: string): string => `link_grant|${linkId}`;

const bytesOf = (holder: GrantHolder | null): Buffer =>
  holder === null
    ? Buffer.alloc(0)
    : Buffer.concat([
        Buffer.from([HOLDER_KINDS.indexOf(holder.kind)]),
        Buffer.from(holder.id.replaceAll('-', ''), 'hex'),
      ]);

function holderOf(bytes: Buffer): GrantHolder | null {
  const kind = HOLDER_KINDS[bytes[0] ?? -1];
  if (kind === undefined) return null;
  const id = bytes.toString('hex', 1).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { kind, id };
}
