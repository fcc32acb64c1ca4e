import { BooleanField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

export class ProjectResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @TextField({ max: 100, example: 'Demo' })
  name: string;

  @BooleanField({ example: false })
  allow_any_bundle_id: boolean;

  @TimeField()
  created_at: string;
}

export class ProjectPage extends PageOf(ProjectResponse) {}
