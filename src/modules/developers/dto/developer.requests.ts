import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { EmailField, TextField } from '#platform/http/fields';
import { NewPasswordField } from '#platform/http/password-field';

export class SignUpRequest {
  @EmailField()
  email: string;

  @NewPasswordField()
  password: string;

  @TextField({ max: 100, optional: true, example: 'Ann Example' })
  name?: string;
}

export class UpdateDeveloperRequest {
  @TextField({ max: 100, optional: true, nullable: true, example: 'Ann Example' })
  name?: string | null;
}

export class EmailRequest {
  @EmailField()
  email: string;
}

/** The token of a mailed link; a link without one is shown as one that no longer works. */
export class LinkQuery {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value : ''))
  @ApiProperty({ type: 'string', required: false, description: 'The token of the mailed link.' })
  @IsString()
  token: string = '';
}

export class VerifyEmailRequest {
  @TextField({ max: 200, description: 'The token of the mailed link.', example: 'kq0YyX…' })
  token: string;
}

export class ResetPasswordRequest {
  @TextField({ max: 200, description: 'The token of the mailed link.', example: 'kq0YyX…' })
  token: string;

  @NewPasswordField()
  new_password: string;
}
