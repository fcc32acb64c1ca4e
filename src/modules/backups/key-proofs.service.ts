import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Sealer } from '#infra/crypto/sealer';
import { type KeyProof, type Manifest } from './manifest';

const PURPOSE = 'backup';

/**
 * Checks that the service has the keys that a backup was made with. With other keys, passwords would not match and sealed secrets such as
 * install links could not be decrypted.
 */
@Injectable()
export class KeyProofsService {
  constructor(
    private readonly sealer: Sealer,
    private readonly digest: KeyedDigest,
  ) {}

  create(backupId: string): KeyProof {
    return {
      master: this.sealer.seal(Buffer.from(backupId), `${PURPOSE}|${backupId}`).toString('base64'),
      pepper: this.digest.of(PURPOSE, backupId).toString('base64'),
    };
  }

  /** @throws AppError operation_not_allowed that names the environment variable with another value. */
  verify({ id, keys }: Pick<Manifest, 'id' | 'keys'>): void {
    if (!this.canOpen(id, keys.master)) throw otherKeys('MASTER_KEYS');
    if (this.digest.of(PURPOSE, id).toString('base64') !== keys.pepper) throw otherKeys('PASSWORD_PEPPER');
  }

  private canOpen(id: string, sealed: string): boolean {
    try {
      return this.sealer.open(Buffer.from(sealed, 'base64'), `${PURPOSE}|${id}`).toString() === id;
    } catch {
      return false;
    }
  }
}

const otherKeys = (variable: string): AppError =>
  new AppError('operation_not_allowed', {
    message: `This backup was made with another ${variable}. Set ${variable} to the value of that service, or copy its keys to DATA_DIR/keys.`,
    details: { reason: 'other_keys', variable },
  });
