import { IdField } from '#infra/http/dto/fields';
import { BuildResponse } from './build.response';

export class UploadedBuildResponse extends BuildResponse {
  @IdField({ optional: true, description: 'The release it was promoted as; absent when the upload named no channel.' })
  release_id?: string;
}
