import { EmailField, IdField, TextField } from '#infra/http/dto/fields';
import { ProjectPageQuery } from '#infra/http/dto/scope-query';

export class CreateTesterRequest {
  @EmailField({ example: 'tess@example.com' })
  email: string;

  @TextField({ max: 100, optional: true, nullable: true, example: 'Tess' })
  name?: string | null;
}

export class UpdateTesterRequest {
  @TextField({ max: 100, optional: true, nullable: true, example: 'Tess' })
  name?: string | null;
}

export class ListTestersQuery extends ProjectPageQuery {
  @EmailField({ optional: true, description: 'Exactly this address, whatever the case.', example: 'tess@example.com' })
  email?: string;

  @TextField({ max: 200, optional: true, description: 'Text found in address or name.', example: 'tess' })
  q?: string;

  @IdField({ optional: true, description: 'Subscribers of this channel.' })
  channel_id?: string;
}
