import { IdField } from '#infra/http/dto/fields';
import { ProjectQuery } from '#infra/http/dto/scope-query';

export class InviteQuery extends ProjectQuery {
  @IdField({ optional: true, description: 'A link of this channel.' })
  channel_id?: string;
}

export class InviteTesterRequest {
  @IdField({ optional: true, description: 'A link of this build.' })
  build_id?: string;
}
