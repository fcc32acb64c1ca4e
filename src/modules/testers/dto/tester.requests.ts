import { EmailField, IdField, TextField } from '#infra/http/dto/fields';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';

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
  @EmailField({ optional: true, description: 'The exact address, ignoring case.', example: 'tess@example.com' })
  email?: string;

  @TextField({ max: 200, optional: true, description: 'Text contained in address or name.', example: 'tess' })
  q?: string;

  @IdField({ optional: true, description: 'Lists only subscribers of this channel.' })
  channel_id?: string;
}

export class InviteQuery extends ProjectQuery {
  @IdField({ optional: true, description: 'The channel that the link opens.' })
  channel_id?: string;
}

export class InviteTesterRequest {
  @IdField({ optional: true, description: 'The build that the link opens.' })
  build_id?: string;
}
