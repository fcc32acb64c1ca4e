import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Sealer } from '#infra/crypto/sealer';
import { digestOfContent, type KeyProof, type Manifest, type ManifestContent } from './manifest';

const PURPOSE = 'backup';
const MANIFEST = 'backup-manifest';

/**
 * Checks that the service has the keys that a backup was made with, and that it was not changed without them. With other keys, passwords
 * would not match and sealed secrets such as install links could not be decrypted.
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

  /** Adds the authentication to a manifest. The manifest has the digests of all files, so it covers them too. */
  authenticate(content: ManifestContent): Manifest {
    const authentication = this.sealer.seal(digestOfContent(content), `${MANIFEST}|${content.id}`).toString('base64');
    return { ...content, authentication };
  }

  /**
   * Checks that a service with one of these master keys has written the manifest.
   * @param allowMissing accepts a manifest without authentication, of a version that wrote none. A wrong one is never accepted.
   * @throws AppError operation_not_allowed
   */
  requireAuthentic(manifest: Manifest, { allowMissing }: { readonly allowMissing: boolean }): void {
    const { id, authentication } = manifest;
    if (authentication === undefined) {
      if (!allowMissing) throw unauthenticated();
      return;
    }
    const digest = this.openOrNull(authentication, `${MANIFEST}|${id}`);
    if (!digest?.equals(digestOfContent(manifest))) throw changed();
  }

  private canOpen(id: string, sealed: string): boolean {
    return this.openOrNull(sealed, `${PURPOSE}|${id}`)?.toString() === id;
  }

  private openOrNull(sealed: string, context: string): Buffer | null {
    try {
      return this.sealer.open(Buffer.from(sealed, 'base64'), context);
    } catch {
      return null;
    }
  }
}

const otherKeys = (variable: string): AppError =>
  new AppError('operation_not_allowed', {
    message: `This backup was made with another ${variable}. Set ${variable} to the value of that service, or copy its keys to DATA_DIR/keys.`,
    details: { reason: 'other_keys', variable },
  });

const changed = (): AppError =>
  new AppError('operation_not_allowed', {
    message:
      'The manifest of this backup was changed after the backup was made. Do not trust it. Restore another backup.',
    details: { reason: 'backup_changed' },
  });

const unauthenticated = (): AppError =>
  new AppError('operation_not_allowed', {
    message:
      'This backup is not authenticated: an earlier version made it, or it was changed. If you know that no other person could write to its folder, add --unauthenticated.',
    details: { reason: 'backup_unauthenticated' },
  });
