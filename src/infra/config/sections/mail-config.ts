import { IsInt, IsOptional, IsString, IsUrl, Min } from 'class-validator';
import { Variable } from '../variable';

/** The mail server, and how much may be sent. */
export class MailConfig {
  @Variable('MAIL_URL', {
    secret: true,
    describe:
      'URL of the mail server, smtp:// or smtps://, with options such as ?ignoreTLS=true (docs/mail.md). In production smtp:// to another host requires STARTTLS. Default: each mail is written to a file in DATA_DIR/mail and, outside production, its link is logged.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['smtp', 'smtps'], require_tld: false, require_protocol: true })
  url: string | undefined;

  @Variable('MAX_MAILS_PER_ORGANIZATION_PER_DAY', {
    default: '10000',
    describe:
      'Maximum mails to testers that an organization sends within a day (UTC), at most 200 while it has only trial credit. Further mails wait.',
  })
  @IsInt()
  @Min(1)
  maxPerOrganizationPerDay: number;

  @Variable('MAIL_FROM', { default: 'Agate <agate@localhost>', describe: 'Sender of every mail.' })
  @IsString()
  from: string;
}
