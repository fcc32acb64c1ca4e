import { timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isLinkToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { type SharedMailImage } from '#infra/mail/mail-message';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { BuildIconsRepository, type Icon } from './build-icons.repository';

const UUID_BYTES = 16;
const DIGEST_BYTES = 16;

/** The kind of shared images of mails that icons are. */
const MAIL_IMAGE = 'build-icon';
/** Outlook shows no other format. A larger icon would be most of the mail. */
const MAIL_MEDIA_TYPE = 'image/png';
const MAX_MAIL_BYTES = 48_000;

/**
 * Addresses that open an icon and nothing else. The key in the address is the build's id and 128 bits of a keyed digest of it, so that it
 * cannot be guessed and needs no column. The icon of a build never changes: another icon belongs to another build
 * (docs/decisions/0026-addresses-of-icons.md).
 */
@Injectable()
export class BuildIconsService implements OnModuleInit {
  constructor(
    private readonly repository: BuildIconsRepository,
    private readonly digests: KeyedDigest,
    private readonly outbox: MailOutbox,
    private readonly config: HttpConfig,
  ) {}

  onModuleInit(): void {
    this.outbox.readSharedImages(MAIL_IMAGE, async (ctx, id) => (await this.repository.find(ctx, id))?.data ?? null);
  }

  /** The icon as an image of mails. Null when the build has none that mail programs show. */
  async mailImageOf(ctx: RequestContext, buildId: string): Promise<SharedMailImage | null> {
    const isShown = await this.repository.hasSmall(ctx, buildId, MAIL_MEDIA_TYPE, MAX_MAIL_BYTES);
    return isShown ? { name: buildId, shared: { kind: MAIL_IMAGE, id: buildId } } : null;
  }

  urlOf(buildId: string): string {
    return `${this.config.baseUrl}/icons/${this.keyOf(Buffer.from(buildId.replaceAll('-', ''), 'hex'))}`;
  }

  /** Null when the build has no icon or does not exist. The caller has checked that the requester may see it. */
  find(ctx: RequestContext, buildId: string): Promise<Icon | null> {
    return this.repository.find(ctx, buildId);
  }

  /** The icon of a key. @throws AppError not_found for a wrong key, and when the build was deleted. */
  async get(ctx: RequestContext, key: string): Promise<Icon> {
    const id = isLinkToken(key) ? Buffer.from(key, 'base64url').subarray(0, UUID_BYTES) : null;
    const isRight = id !== null && timingSafeEqual(Buffer.from(this.keyOf(id)), Buffer.from(key));
    const icon = isRight ? await this.repository.find(ctx, id.toString('hex')) : null;
    if (!icon) throw AppError.notFound('icon');
    return icon;
  }

  /** 43 characters of base64url. */
  private keyOf(id: Buffer): string {
    const digest = this.digests.of('build-icon', id.toString('hex')).subarray(0, DIGEST_BYTES);
    return Buffer.concat([id, digest]).toString('base64url');
  }
}
