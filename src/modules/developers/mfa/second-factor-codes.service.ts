import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { verify } from 'otplib';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer } from '#infra/crypto/sealer';
import { Secrets } from '#infra/crypto/secrets';
import { type SecondFactorEntity } from './second-factors.repository';

/** A code is accepted in its own 30 seconds and in the 30 before and after, because the clocks of phones differ. */
const TOLERANCE_SECONDS = 30;

/** The codes of second factors: TOTP (RFC 6238), and recovery codes. */
@Injectable()
export class SecondFactorCodesService {
  constructor(
    private readonly sealer: Sealer,
    private readonly secrets: Secrets,
  ) {}

  seal(developerId: string, secret: string): Buffer {
    return this.sealer.seal(Buffer.from(secret), sealContext(developerId));
  }

  open({ developerId, sealedSecret }: SecondFactorEntity): string {
    return this.sealer.open(sealedSecret, sealContext(developerId)).toString();
  }

  /**
   * Derives the recovery codes of a secret, so that they can be shown before the factor is confirmed, and again by the confirmation, without
   * being stored. Deriving them needs the pepper and the secret, which is stored encrypted.
   */
  recoveryCodesOf(developerId: string, secret: string): readonly string[] {
    return Array.from({ length: RECOVERY_CODES }, (_, index) =>
      recoveryCodeOf(
        createHmac('sha256', this.secrets.passwordPepper)
          .update(JSON.stringify(['recovery-code', developerId, secret, index]))
          .digest(),
      ),
    );
  }

  /** Returns the time step of a code; null when the code is wrong or not newer than the last accepted one. */
  async stepOf(ctx: RequestContext, factor: SecondFactorEntity, code: string): Promise<number | null> {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const secret = this.open(factor);
    const epoch = Math.floor(ctx.clock.now().getTime() / 1000);
    const afterTimeStep = Number(factor.lastStep);
    const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS, afterTimeStep });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  }

  /** Recovery codes are short. The pepper, which is not in the database, prevents guessing them from a copy of the database. */
  digestOf(developerId: string, recoveryCode: string): Buffer {
    const normalized = recoveryCode.toLowerCase().replace(/[^a-z0-9]/g, '');
    return createHmac('sha256', this.secrets.passwordPepper).update(`recovery|${developerId}|${normalized}`).digest();
  }
}

/** Binds a sealed secret to its row: moved to another row, it cannot be opened. */
export const sealContext = (developerId: string): string => `second-factor|${developerId}`;

const RECOVERY_CODES = 10;

/** Ten characters, 50 bits. Characters that look alike are not used. */
const recoveryCodeOf = (bytes: Buffer): string => {
  const text = [...bytes.subarray(0, 10)].map((byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
};
