import { IntegerField, IntegerSetField, TextField } from '#infra/http/dto/fields';
import { MAX_PARTS } from '#infra/blob/part-uploads';
import { CreateBuildRequest } from '../../catalogue/dto/build.requests';

/** What the parts will make. The text fields are those of `POST /builds`. */
export class StartUploadRequest extends CreateBuildRequest {
  @TextField({ max: 1000, example: 'Demo.ipa' })
  file_name: string;

  @IntegerField({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'Of the whole file.', example: 1_073_741_824 })
  size_bytes: number;
}

export class PartUrlsRequest {
  // The bound that was released, of any store. An upload has a thousand at most: whether it has these, its service looks up.
  @IntegerSetField({
    min: 1,
    max: MAX_PARTS,
    maxItems: 100,
    description: 'The parts to send next.',
    example: [1, 2, 3],
  })
  part_numbers: number[];
}
