import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { verify } from 'otplib';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer } from '#infra/crypto/sealer';
import { Secrets } from '#infra/crypto/secrets';
import { type SecondFactorEntity } from './second-factor.entity';

/** A code counts in its own 30 seconds and those before and after: clocks of phones differ. */
const TOLERANCE_SECONDS = 30;

/** The codes of second factors: TOTP (RFC 6238), and recovery codes. */
@Injectable()
export class SecondFactorCodes {
  constructor(
    private readonly sealer: Sealer,
    private readonly secrets: Secrets,
  ) {}

  seal(developerId: string, secret: string): Buffer {
    return this.sealer.seal(Buffer.from(secret), sealContext(developerId));
  }

  /** The time step of a right code that is newer than the last accepted one, or null. */
  async stepOf(ctx: RequestContext, factor: SecondFactorEntity, code: string): Promise<number | null> {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const secret = this.sealer.open(factor.sealedSecret, sealContext(factor.developerId)).toString();
    const epoch = Math.floor(ctx.clock.now().getTime() / 1000);
    const afterTimeStep = Number(factor.lastStep);
    const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS, afterTimeStep });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  }

  /** Recovery codes are short: without the pepper they cannot be guessed from a copy of the database. */
  digestOf(developerId: string, recoveryCode: string): Buffer {
    const normal = recoveryCode.toLowerCase().replace(/[^a-z0-9]/g, '');
    return createHmac('sha256', this.secrets.passwordPepper).update(`recovery|${developerId}|${normal}`).digest();
  }
}

/** A second factor's secret opens in its own row only. */
export const sealContext = (developerId: string): string => `second-factor|${developerId}`;

/** Ten characters without those that look alike: 50 bits. */
export const newRecoveryCode = (): string => {
  const text = [...randomBytes(10)].map((byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
};
