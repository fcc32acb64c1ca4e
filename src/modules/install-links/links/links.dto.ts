import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ProjectPageQuery } from '#infra/http/dto/scope-query';
import { LINK_ACCESS, LINK_STATES, type LinkAccess, type LinkState } from '../rules/link-rule';

const MAX_TERMS = 10_240;
const MAX_DOWNLOADS = 1_000_000;

export class ListLinksQuery extends ProjectPageQuery {
  @IdField({ of: 'build', optional: true, description: 'Lists only links of this build.' })
  build_id?: string;

  @IdField({ of: 'channel', optional: true, description: 'Lists only links of this channel.' })
  channel_id?: string;
}

const AccessField = (optional: boolean): PropertyDecorator =>
  EnumField(LINK_ACCESS, {
    optional,
    name: 'LinkAccess',
    description: 'The people who can use the link.',
  });

const ExpiresField = (optional: boolean): PropertyDecorator =>
  TimeField({
    optional,
    nullable: true,
    description:
      'When the link stops working. `null`: never. It also ends the links in mails to testers about its build or channel.',
  });

const MaxDownloadsField = (optional: boolean): PropertyDecorator =>
  IntegerField({
    optional,
    nullable: true,
    min: 1,
    max: MAX_DOWNLOADS,
    example: 50,
    description: 'The number of downloads after which the link stops working. `null`: unlimited.',
  });

/** The rules of a link in a request. */
export class LinkRulesRequest {
  @AccessField(true)
  access?: LinkAccess;

  @TextField({
    optional: true,
    nullable: true,
    min: 6,
    max: 200,
    example: 'sunny harbour',
    description: 'The password of the access `password`. Only its hash is stored.',
  })
  password?: string | null;

  @ExpiresField(true)
  expires_at?: string | null;

  @MaxDownloadsField(true)
  max_downloads?: number | null;

  @TextField({
    optional: true,
    nullable: true,
    max: MAX_TERMS,
    lines: true,
    example: 'This is a confidential preview. Do not share it.',
    description:
      'The terms that a person must accept before the first download, as plain text of at most 10 kB. Another text must be accepted again. `null`: none.',
  })
  terms?: string | null;
}

@ApiSchema({ description: 'A new link of a build or of a channel. Name exactly one of the two.' })
export class CreateLinkRequest extends LinkRulesRequest {
  @IdField({ of: 'build', optional: true, description: 'The build that the link opens.' })
  build_id?: string;

  @IdField({ of: 'channel', optional: true, description: 'The channel whose current releases the link opens.' })
  channel_id?: string;

  @TextField({ max: 100, example: 'ACME demo', description: 'Your name for the link. Visitors do not see it.' })
  name: string;
}

@ApiSchema({
  description: 'Changes of a link. Absent fields stay as they are. Each change of a rule ends the present visits.',
})
export class UpdateLinkRequest extends LinkRulesRequest {
  @TextField({ optional: true, nullable: true, max: 100, example: 'ACME demo', description: 'Your name for the link.' })
  name?: string | null;
}

@ApiSchema({ description: 'The terms of a link.' })
export class LinkTermsResponse {
  @TextField({
    max: MAX_TERMS,
    lines: true,
    example: 'This is a confidential preview. Do not share it.',
    description: 'The text, which pages show as plain text.',
  })
  text: string;

  @IntegerField({ min: 1, example: 1, description: 'The number of the text. Acceptances name it.' })
  version: number;
}

@ApiSchema({ description: 'A link of a build or channel.' })
export class LinkResponse {
  @IdField({ of: 'link' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project' })
  project_id: string;

  @IdField({
    of: 'build',
    nullable: true,
    description: 'The build that the link opens. `null` for the link of a channel.',
  })
  build_id: string | null;

  @IdField({
    of: 'channel',
    nullable: true,
    example: null,
    description: 'The channel that the link opens. `null` for the link of a build.',
  })
  channel_id: string | null;

  @TextField({
    nullable: true,
    max: 100,
    example: 'ACME demo',
    description: 'Your name for the link. `null` when it has none.',
  })
  name: string | null;

  @BooleanField({
    example: false,
    description:
      'Whether it is the link that the API shows as `install_url` of its build or channel. It cannot be deleted.',
  })
  is_default: boolean;

  @AccessField(false)
  access: LinkAccess;

  @ExpiresField(false)
  expires_at: string | null;

  @MaxDownloadsField(false)
  max_downloads: number | null;

  @IntegerField({ min: 0, example: 12, description: 'The downloads through the link since it first had a rule.' })
  used_downloads: number;

  @IntegerField({
    min: 0,
    example: 31,
    description:
      'All downloads through the link. Counting ends at 10,000. Downloads of earlier releases of Agate do not count.',
  })
  downloads: number;

  @IntegerField({
    min: 0,
    example: 4,
    description:
      'The testers who proved their address at the link and downloaded. 0 unless the access is or was `sign_in`.',
  })
  testers: number;

  @ApiProperty({ type: LinkTermsResponse, nullable: true, description: 'The terms to accept. `null`: none.' })
  terms: LinkTermsResponse | null;

  @EnumField(LINK_STATES, {
    name: 'LinkState',
    description:
      'Whether the link works: `live`, or no longer, because it has expired or reached its maximum of downloads.',
  })
  state: LinkState;

  @TextField({
    nullable: true,
    max: 2000,
    example: 'https://install.example.com/install/8Jx2mQ0vT4cN7yRkLs1bW9eHfUa3oZpXgDi6tBqVwEM',
    description:
      'The address of the page. `null` for callers who may not download, and when the service cannot decrypt it: rotate it then.',
  })
  install_url: string | null;

  @TextField({
    nullable: true,
    max: 2000,
    example: 'https://install.example.com/install/8Jx2mQ0vT4cN7yRkLs1bW9eHfUa3oZpXgDi6tBqVwEM/qr.svg',
    description:
      'The address of the page as a QR code. `null` without `install_url`, and for a link whose files need a grant: make the code from `install_url` then.',
  })
  qr_url: string | null;

  @TimeField({ description: 'When the address was created: with the link, or when it was rotated last.' })
  created_at: string;
}

export class LinkPage extends PageOf(LinkResponse) {}

@ApiSchema({ description: 'An address that opens a link of any access for half an hour.' })
export class LinkGrantResponse {
  @TextField({
    max: 2000,
    example: 'https://install.example.com/install/8Jx2mQ0vT4cN7yRkLs1bW9eHfUa3oZpXgDi6tBqVwEM/g/AQJrMb3…',
    description: 'The address of the page. It needs no password. Open it, or show it as a QR code to a phone of yours.',
  })
  url: string;

  @TimeField({ description: 'When the address stops working. A changed rule ends it earlier.' })
  expires_at: string;
}
