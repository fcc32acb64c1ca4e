import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';
import { PasswordField } from '#infra/http/dto/password-field';

@ApiSchema({ description: 'Confirms that the owner of the account sends the request.' })
export class EnrolMfaRequest {
  @PasswordField()
  password: string;
}

@ApiSchema({ description: 'The password, and a code of the authenticator app.' })
export class ConfirmMfaRequest extends EnrolMfaRequest {
  @TextField({ max: 20, description: 'The code that your authenticator app shows.', example: '123456' })
  code: string;
}

@ApiSchema({ description: 'The password and a code.' })
export class DisableMfaRequest extends ConfirmMfaRequest {}

@ApiSchema({ description: 'A secret for an authenticator app.' })
export class EnrolmentResponse {
  @TextField({
    max: 64,
    description: 'The secret in base 32, to type into the app.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @TextField({
    max: 1000,
    description: 'The secret as a URL, which authenticator apps open.',
    example: 'otpauth://totp/Agate:ann%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Agate',
  })
  otpauth_url: string;

  @TextField({
    max: 20_000,
    description: 'The URL as a QR code in SVG.',
    example: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  qr_code_svg: string;

  @ApiProperty({
    type: [String],
    description:
      'The recovery codes of the factor. They work as soon as it is confirmed. Show them before the confirmation, because it ends the session.',
    example: ['k3m9p-x7q2a'],
  })
  recovery_codes: string[];
}

@ApiSchema({ description: 'The recovery codes of a second factor. Store them where the authenticator app is not.' })
export class RecoveryCodesResponse {
  @ApiProperty({
    type: [String],
    description: 'Each code works once, in place of a code of the app.',
    example: ['k3m9p-x7q2a'],
  })
  recovery_codes: string[];
}
