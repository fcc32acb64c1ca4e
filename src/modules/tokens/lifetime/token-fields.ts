import { TextField, TimeField } from '#infra/http/dto/fields';

/** The fields that requests and responses about every kind of token have. */
export const TokenField = {
  newExpiry: () =>
    TimeField({
      optional: true,
      nullable: true,
      description: 'When the token expires. `null` or absent: it is valid until it is revoked.',
      example: '2027-11-20T00:00:00.000Z',
    }),

  last4: () =>
    TextField({ max: 4, description: 'The last characters of the token, to recognize it by.', example: 'x7Qa' }),

  expiry: () =>
    TimeField({
      nullable: true,
      example: '2027-11-20T00:00:00.000Z',
      description: 'When the token expires. `null`: it is valid until it is revoked.',
    }),

  lastUse: () =>
    TimeField({
      nullable: true,
      description: 'When the token was last used, exact to a minute. `null` when it was never used.',
    }),

  value: (example: string) =>
    TextField({
      max: 60,
      example,
      description: 'The value. Send it as `Authorization: Bearer …`. It is shown only in this response.',
    }),
};
