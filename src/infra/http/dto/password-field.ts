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
      description:
        'The new password: 10 to 256 characters, and not one of the most common ones. It is neither trimmed nor truncated.',
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
export const PasswordField = (description = 'Your present password.'): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'string', format: 'password', description, example: 'correct horse battery staple' }),
    IsString(),
  );
