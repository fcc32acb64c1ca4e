import { TextField } from '#infra/http/dto/fields';

export class CreateChannelRequest {
  @TextField({ max: 100, example: 'Beta' })
  name: string;
}

export class UpdateChannelRequest {
  @TextField({ max: 100, optional: true, example: 'Beta' })
  name?: string;
}
