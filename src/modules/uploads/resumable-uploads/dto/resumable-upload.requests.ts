import { IntegerField, IntegerSetField, TextField } from '#infra/http/dto/fields';
import { MAX_PARTS } from '#infra/blob/part-uploads';
import { CreateBuildRequest } from '../../dto/create-build.request';

/** The file that the parts make up. The other fields are the text parts of `POST /builds`. */
export class StartUploadRequest extends CreateBuildRequest {
  @TextField({ max: 1000, example: 'Demo.ipa' })
  file_name: string;

  @IntegerField({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Size of the whole file.',
    example: 1_073_741_824,
  })
  size_bytes: number;
}

export class PartUrlsRequest {
  // The limit of the released API. Whether the upload has these parts is checked in UploadPartsService.
  @IntegerSetField({
    min: 1,
    max: MAX_PARTS,
    maxItems: 100,
    description: 'The parts to send next.',
    example: [1, 2, 3],
  })
  part_numbers: number[];
}
