import { IdField, TextField } from '#infra/http/dto/fields';

export class InviteActionRequest {
  @IdField({ optional: true, description: 'Which channel, where the link is not of one.' })
  channel_id?: string;

  @TextField({ max: 100, optional: true, description: 'What mail programs send (RFC 8058).', example: 'One-Click' })
  'List-Unsubscribe'?: string;
}
