import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer, SealError } from '#infra/crypto/sealer';

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
  /** The tester who proved their address; null for everyone else. */
  readonly testerId: string | null;
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

  issue(ctx: RequestContext, linkId: string, { version, accepted, testerId }: LinkGrant): SealedGrant {
    const expiresAt = new Date(ctx.clock.now().getTime() + GRANT_LIFETIME_MS);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(version, 0);
    head.writeBigUInt64BE(BigInt(expiresAt.getTime()), 4);
    head.writeUInt8(accepted ? 1 : 0, 12);
    const tester = Buffer.from(testerId?.replaceAll('-', '') ?? '', 'hex');
    const sealed = this.sealer.seal(Buffer.concat([head, tester]), contextOf(linkId));
    return { grant: sealed.toString('base64url'), expiresAt };
  }

  /** @returns null for a grant of another link or version, one that has expired, and any other text. Does not throw. */
  open(ctx: RequestContext, linkId: string, version: number, text: string): LinkGrant | null {
    if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return null;
    const opened = this.unseal(linkId, text);
    if (opened === null || opened.readUInt32BE(0) !== version) return null;
    if (Number(opened.readBigUInt64BE(4)) <= ctx.clock.now().getTime()) return null;
    return { version, accepted: opened.readUInt8(12) === 1, testerId: uuidOf(opened.subarray(HEAD_BYTES)) };
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

const uuidOf = (bytes: Buffer): string | null =>
  bytes.length === 0 ? null : bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
