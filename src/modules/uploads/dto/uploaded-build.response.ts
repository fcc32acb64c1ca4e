import { IdField } from '#infra/http/dto/fields';
import { BuildResponse } from '#modules/builds';

export class UploadedBuildResponse extends BuildResponse {
  @IdField({
    optional: true,
    description: 'The release that the build was promoted as. Absent when the upload named no channel.',
  })
  release_id?: string;
}
