import { IdField, TextField } from '#infra/http/dto/fields';

export class InviteActionRequest {
  @IdField({ optional: true, description: 'The channel, for a link that names no channel.' })
  channel_id?: string;

  @TextField({ max: 100, optional: true, description: 'Sent by mail programs (RFC 8058).', example: 'One-Click' })
  'List-Unsubscribe'?: string;
}
