import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy } from 'class-validator';
import { PASSWORD_LENGTH, PASSWORD_PROBLEMS, passwordProblem } from '#kernel/access/password-policy';

/** A new password. It is neither trimmed nor truncated, and must satisfy the password policy. */
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

/** An existing password, which is only compared: any string is accepted. */
export const PasswordField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'string', format: 'password', example: 'correct horse battery staple' }),
    IsString(),
  );
