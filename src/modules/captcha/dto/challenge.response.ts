import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';

/** What ALTCHA's widget takes. */
export class ChallengeResponse {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The work: algorithm, nonce, salt, cost, …' })
  parameters: Record<string, unknown>;

  @TextField({
    max: 200,
    description: 'That the work is ours; send it back as it is.',
    example: '5d41402abc4b2a76b971',
  })
  signature: string;
}
