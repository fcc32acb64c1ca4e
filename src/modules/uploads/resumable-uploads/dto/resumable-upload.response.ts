import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';

const UPLOAD_STATES = ['open', 'complete'] as const;

export class UploadPartResponse {
  @IntegerField({ min: 1, example: 1 })
  part_number: number;

  @IntegerField({ min: 1, description: 'Exact size of the part.', example: 8_388_608 })
  size_bytes: number;

  @BooleanField({ description: 'Whether the store has the whole part. Send the parts that have not arrived.' })
  arrived: boolean;
}

export class ResumableUploadResponse {
  @IdField()
  id: string;

  @EnumField(UPLOAD_STATES)
  state: (typeof UPLOAD_STATES)[number];

  @TextField({ max: 255, example: 'Demo.ipa' })
  file_name: string;

  @IntegerField({ min: 1, example: 1_073_741_824 })
  size_bytes: number;

  @IntegerField({ min: 1, description: 'Size of every part but the last.', example: 8_388_608 })
  part_size_bytes: number;

  @IntegerField({ min: 1, example: 128 })
  part_count: number;

  @TimeField({ nullable: true, description: 'A day after its last use; null once the upload is complete.' })
  expires_at: string | null;

  @IdField({ nullable: true, description: 'The build that the upload has made; null until it is complete.' })
  build_id: string | null;

  @ApiProperty({ type: [UploadPartResponse] })
  parts: UploadPartResponse[];
}

export class PartUrlResponse {
  @IntegerField({ min: 1, example: 1 })
  part_number: number;

  @IntegerField({ min: 1, example: 8_388_608 })
  size_bytes: number;

  @TextField({
    max: 4000,
    description: 'Send the bytes of the part to this URL by PUT, without a form. No other credential is needed.',
    example: 'https://agate.example.com/api/v1/builds/uploads/parts/AQRtYWlu',
  })
  url: string;

  @TimeField()
  expires_at: string;
}

export class PartUrlsResponse {
  @ApiProperty({ type: [PartUrlResponse] })
  urls: PartUrlResponse[];
}
