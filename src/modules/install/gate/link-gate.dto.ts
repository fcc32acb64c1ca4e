import { ApiSchema } from '@nestjs/swagger';
import { BlankIsAbsent, EmailField, IntegerFormField, TextField } from '#infra/http/dto/fields';
import { CaptchaField } from '#modules/captcha';

@ApiSchema({ description: 'The password of a link.' })
export class UnlockLinkRequest {
  @TextField({ max: 200, example: 'sunny harbour', description: 'The password of the link.' })
  password: string;

  @BlankIsAbsent()
  @CaptchaField()
  captcha?: string;
}

@ApiSchema({
  description:
    'The address of a tester who signs in at a link and, in a second request, the code that was mailed to it.',
})
export class SignInAtLinkRequest {
  @EmailField({ description: 'The address of the tester.' })
  email: string;

  @BlankIsAbsent()
  @TextField({ max: 12, optional: true, example: '482913', description: 'The mailed code. Absent: a code is mailed.' })
  code?: string;

  @BlankIsAbsent()
  @CaptchaField()
  captcha?: string;
}

@ApiSchema({ description: 'The terms that a visitor accepts.' })
export class AcceptTermsRequest {
  @IntegerFormField({
    min: 1,
    max: 1_000_000,
    example: 1,
    description: 'The version of the terms that the page showed.',
  })
  version: number;
}
