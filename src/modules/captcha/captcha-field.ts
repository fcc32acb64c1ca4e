import { TextField } from '#infra/http/dto/fields';

/** The answer to a challenge of `GET /api/v1/captcha`, for routes that are `@CaptchaProtected()`. */
export const CaptchaField = (): PropertyDecorator =>
  TextField({
    max: 4000,
    min: 0,
    optional: true,
    description: 'The answer to a challenge of GET /api/v1/captcha; required where the service asks for captchas.',
    example: 'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
  });
