import { ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { TextField } from '#infra/http/dto/fields';
import { isWebAddress } from '#infra/pages/page-brand';
import { MAX_LOGO_BYTES } from './logo-image';

/** The characters of the largest logo in base64, with the beginning of a `data:` URL. */
const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 'data:image/png;base64,'.length;

const DISPLAY_NAME = 'The name that testers see instead of the name of the organization. `null`: its name.';
const CONTACT =
  'How testers reach the organization: a mail address, the address of a page, or another short text. Shown below install pages and mails.';
const PRIVACY_URL = 'The `http` or `https` address of the privacy policy. Linked below install pages and mails.';
const ACCENT =
  'The colour of buttons and links, as `#rrggbb`. In the dark theme a lighter shade of it is used. `null`: the colour of the service.';
/** A PNG of one pixel. */
const LOGO_EXAMPLE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

/** An address that a page may link to: no `javascript:`, no user name. */
const IsWebAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWebAddress',
    validator: {
      // `null` is allowed. A value of another type breaks another rule.
      validate: (value) => typeof value !== 'string' || isWebAddress(value),
      defaultMessage: () => '$property must be an http or https address',
    },
  });

const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim().toLowerCase() : value));

@ApiSchema({ description: 'What testers see of an organization. It replaces what was set: absent fields are removed.' })
export class SetBrandingRequest {
  @TextField({ max: 100, optional: true, nullable: true, example: 'Example', description: DISPLAY_NAME })
  display_name?: string | null;

  @TextField({
    max: MAX_LOGO_CHARACTERS,
    optional: true,
    nullable: true,
    example: LOGO_EXAMPLE,
    description: 'A PNG of at most 64 KiB and 2,048 pixels a side, in base64. May be a `data:` URL.',
  })
  logo?: string | null;

  @TextField({ max: 200, optional: true, nullable: true, example: 'beta@example.com', description: CONTACT })
  contact?: string | null;

  @TextField({
    max: 1000,
    optional: true,
    nullable: true,
    example: 'https://example.com/privacy',
    description: PRIVACY_URL,
  })
  @IsWebAddress()
  privacy_url?: string | null;

  @LowerCase()
  @TextField({
    max: 7,
    optional: true,
    nullable: true,
    pattern: /^#[0-9a-fA-F]{6}$/,
    example: '#0057b8',
    description: `${ACCENT} Its contrast on the pages must be at least 4.5.`,
  })
  accent?: string | null;
}

@ApiSchema({ description: 'What testers see of an organization, on install pages and in mails.' })
export class BrandingResponse {
  @TextField({ max: 100, nullable: true, example: 'Example', description: DISPLAY_NAME })
  display_name: string | null;

  @TextField({
    max: MAX_LOGO_CHARACTERS,
    nullable: true,
    example: LOGO_EXAMPLE,
    description: 'The logo, a PNG in base64, as it was sent. `null` without one.',
  })
  logo: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: 'https://agate.example.com/assets/logos/Zt5cQe9JdU1gWx3nFvKo6AkQ8mYyXh2Vw8sN4bR7tLm',
    description:
      'The address of the logo, which needs no credential. Its content never changes: another logo has another address. `null` without one.',
  })
  logo_url: string | null;

  @TextField({ max: 200, nullable: true, example: 'beta@example.com', description: CONTACT })
  contact: string | null;

  @TextField({ max: 1000, nullable: true, example: 'https://example.com/privacy', description: PRIVACY_URL })
  privacy_url: string | null;

  @TextField({ max: 7, nullable: true, example: '#0057b8', description: ACCENT })
  accent: string | null;
}
