import { ApiSchema } from '@nestjs/swagger';
import { IdField } from '#infra/http/dto/fields';
import { BuildResponse } from '#modules/builds';

@ApiSchema({ description: 'The build that an upload made, and the release if it was promoted.' })
export class UploadedBuildResponse extends BuildResponse {
  @IdField({
    optional: true,
    description: 'The release that the build was promoted as. Absent when the upload named no channel.',
    of: 'release',
  })
  release_id?: string;
}
