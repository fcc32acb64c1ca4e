import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy } from 'class-validator';
import { PASSWORD_LENGTH, PASSWORD_PROBLEMS, passwordProblem } from '#kernel/access/password-policy';

/** A password to be set: never trimmed, never cut, checked against the policy (contract §3). */
export const NewPasswordField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'string',
      format: 'password',
      minLength: PASSWORD_LENGTH.min,
      maxLength: PASSWORD_LENGTH.max,
      example: 'correct horse battery staple',
    }),
    ValidateBy({
      name: 'password',
      validator: {
        validate: (value) => typeof value === 'string' && passwordProblem(value) === null,
        defaultMessage: (given) => {
          const problem = typeof given?.value === 'string' ? passwordProblem(given.value) : null;
          return `$property ${problem ? PASSWORD_PROBLEMS[problem] : 'must be text'}`;
        },
      },
    }),
  );

/** A password to be compared: any text. */
export const PasswordField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'string', format: 'password', example: 'correct horse battery staple' }),
    IsString(),
  );
