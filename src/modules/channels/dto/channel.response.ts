import { IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

export class ChannelResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField()
  project_id: string;

  @TextField({ max: 100, example: 'Beta' })
  name: string;

  @TextField({
    max: 2000,
    nullable: true,
    description:
      "Opens the channel's current releases. Stays the same until it is rotated. Null for callers who may not download.",
    example: 'https://install.example.com/install/kq0YyX',
  })
  install_url: string | null;

  @TimeField()
  created_at: string;
}

export class ChannelPage extends PageOf(ChannelResponse) {}
