import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-address';
import { KeyedDigest } from '#infra/crypto/keyed-digest';

export const DEVICE_COOKIE = 'dfdeveloper_device';
export const DEVICE_COOKIE_DAYS = 365;

const DAY_SECONDS = 86_400;
/** The id of the device, the time of issue in seconds since 1970, and the keyed digest of both and the e-mail address. */
const FORMAT = /^([A-Za-z0-9_-]{22})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

/**
 * Cookies that prove an earlier login to an account from a device. They grant nothing: a login still needs the password and the code. They
 * only keep an attacker on other devices from delaying or hindering the owner's logins. They are signed, so they need no row in the
 * database, and name no account.
 */
@Injectable()
export class DeviceCookies {
  constructor(private readonly digest: KeyedDigest) {}

  /** Returns the id of the device; null when the cookie is absent, malformed, expired, or of another account. */
  deviceOf(ctx: RequestContext, cookie: unknown, email: string): string | null {
    const [, device, issuedAt, signature] = (typeof cookie === 'string' && FORMAT.exec(cookie)) || [];
    if (device === undefined || issuedAt === undefined || signature === undefined) return null;
    const expected = this.sign(email, device, issuedAt);
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null;
    const age = ctx.clock.now().getTime() / 1000 - Number(issuedAt);
    return age < DEVICE_COOKIE_DAYS * DAY_SECONDS ? device : null;
  }

  /** @param device the id from the device's previous cookie; null for a new device. */
  issue(ctx: RequestContext, email: string, device: string | null): string {
    const id = device ?? randomBytes(16).toString('base64url');
    const issuedAt = String(Math.floor(ctx.clock.now().getTime() / 1000));
    return `${id}.${issuedAt}.${this.sign(email, id, issuedAt)}`;
  }

  private sign(email: string, device: string, issuedAt: string): string {
    return this.digest.of('device-cookie', JSON.stringify([emailKeyOf(email), device, issuedAt])).toString('base64url');
  }
}
