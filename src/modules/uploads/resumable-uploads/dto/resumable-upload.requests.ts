import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { EnumField, IntegerField, IntegerSetField, TextField } from '#infra/http/dto/fields';
import { MAX_PARTS } from '#infra/blob/part-uploads';
import { CreateBuildRequest } from '../../dto/create-build.request';
import { PART_ROUTES, type PartRoute } from '../resumable-upload';

@ApiSchema({ description: 'The file that the parts make up. The other fields are the text parts of `POST /builds`.' })
export class StartUploadRequest extends CreateBuildRequest {
  @TextField({
    max: 1000,
    description: 'The name of the file. Its extension decides how the artifact is read.',
    example: EXAMPLE.fileName,
  })
  file_name: string;

  @IntegerField({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'The exact size of the whole file, in bytes.',
    example: EXAMPLE.fileBytes,
  })
  size_bytes: number;
}

@ApiSchema({ description: 'The parts to send next.' })
export class PartUrlsRequest {
  // The limit of the released API. Whether the upload has these parts is checked in UploadPartsService.
  @IntegerSetField({
    min: 1,
    max: MAX_PARTS,
    maxItems: 100,
    example: [1, 2, 3],
    description: 'The numbers of the parts, from 1. At most 100.',
  })
  part_numbers: number[];

  @EnumField(PART_ROUTES, {
    optional: true,
    example: 'service',
    description:
      'Where the URLs lead. `store`, the default: to the store if it signs URLs, otherwise to this service. `service`: always to this ' +
      'service, as paths without a host. Use it in browsers, which cannot send to a store of another origin.',
  })
  through?: PartRoute;
}
