import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Sealer } from '#infra/crypto/sealer';
import { type KeyProof, type Manifest } from './manifest';

const PLACE = 'backup';

/** Whether the keys of a service are those of a backup: without them its install links could not be shown, and nobody log in. */
@Injectable()
export class KeyProofs {
  constructor(
    private readonly sealer: Sealer,
    private readonly digest: KeyedDigest,
  ) {}

  make(backupId: string): KeyProof {
    return {
      master: this.sealer.seal(Buffer.from(backupId), `${PLACE}|${backupId}`).toString('base64'),
      pepper: this.digest.of(PLACE, backupId).toString('base64'),
    };
  }

  /** @throws AppError operation_not_allowed, naming the variable, when they are others. */
  require({ id, keys }: Pick<Manifest, 'id' | 'keys'>): void {
    if (!this.opens(id, keys.master)) throw otherKeys('MASTER_KEYS');
    if (this.digest.of(PLACE, id).toString('base64') !== keys.pepper) throw otherKeys('PASSWORD_PEPPER');
  }

  private opens(id: string, sealed: string): boolean {
    try {
      return this.sealer.open(Buffer.from(sealed, 'base64'), `${PLACE}|${id}`).toString() === id;
    } catch {
      return false;
    }
  }
}

const otherKeys = (variable: string): AppError =>
  new AppError('operation_not_allowed', {
    message: `${variable} is not what the service had whose backup this is. Set it to that, or put its keys into DATA_DIR/keys.`,
    details: { reason: 'other_keys', variable },
  });
