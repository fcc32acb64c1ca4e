import { Injectable } from '@nestjs/common';
import { type ProjectScope } from '#kernel/context/scope';
import { emailKeyOf } from '#kernel/text/email-address';
import { KeyedDigest } from '#infra/crypto/keyed-digest';

/** The keyed digests by which suppressions know addresses. The digest of an address differs from project to project. */
@Injectable()
export class AddressDigests {
  constructor(private readonly digests: KeyedDigest) {}

  of({ projectId }: Pick<ProjectScope, 'projectId'>, email: string): Buffer {
    return this.digests.of(`suppression|${projectId}`, emailKeyOf(email));
  }
}
