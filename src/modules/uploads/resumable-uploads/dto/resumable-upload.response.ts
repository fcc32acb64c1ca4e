import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';

const UPLOAD_STATES = ['open', 'complete'] as const;

@ApiSchema({ description: 'A part of an upload.' })
export class UploadPartResponse {
  @IntegerField({ min: 1, example: 1, description: 'The position of the part in the file, from 1.' })
  part_number: number;

  @IntegerField({ min: 1, description: 'Exact size of the part.', example: 8_388_608 })
  size_bytes: number;

  @BooleanField({
    description: 'Whether the store has the whole part. Send the parts that have not arrived.',
    example: false,
  })
  arrived: boolean;
}

@ApiSchema({ description: 'An upload in parts: how to cut the file, and which parts have arrived.' })
export class ResumableUploadResponse {
  @IdField({ of: 'upload' })
  id: string;

  @EnumField(UPLOAD_STATES, { description: '`open`: parts can be sent. `complete`: it has become a build.' })
  state: (typeof UPLOAD_STATES)[number];

  @TextField({ max: 255, description: 'The name of the file.', example: EXAMPLE.fileName })
  file_name: string;

  @IntegerField({ min: 1, description: 'The size of the whole file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @IntegerField({ min: 1, description: 'Size of every part but the last.', example: 8_388_608 })
  part_size_bytes: number;

  @IntegerField({ min: 1, description: 'The number of parts.', example: 3 })
  part_count: number;

  @TimeField({
    nullable: true,
    description: 'When the upload expires: a day after its last use. `null` when it is complete.',
    example: '2026-11-21T18:01:12.400Z',
  })
  expires_at: string | null;

  @IdField({
    nullable: true,
    of: 'build',
    example: null,
    description: 'The build that the upload has made. `null` until it is complete.',
  })
  build_id: string | null;

  @ApiProperty({
    type: [UploadPartResponse],
    description: 'All parts, in the order of their numbers.',
    example: [
      { part_number: 1, size_bytes: 8_388_608, arrived: true },
      { part_number: 2, size_bytes: 8_388_608, arrived: false },
      { part_number: 3, size_bytes: 7_340_032, arrived: false },
    ],
  })
  parts: UploadPartResponse[];
}

@ApiSchema({ description: 'A URL that accepts one part.' })
export class PartUrlResponse {
  @IntegerField({ min: 1, example: 1, description: 'The number of the part.' })
  part_number: number;

  @IntegerField({ min: 1, example: 8_388_608, description: 'The exact size of the part, in bytes.' })
  size_bytes: number;

  @TextField({
    max: 4000,
    description: 'Send the bytes of the part to this URL by PUT, without a form. No other credential is needed.',
    example: 'https://agate.example.com/api/v1/builds/uploads/parts/AQRtYWlu',
  })
  url: string;

  @TimeField({ description: 'When the URL expires: after 30 minutes.', example: '2026-11-20T18:31:15.020Z' })
  expires_at: string;
}

@ApiSchema({ description: 'The URLs of the requested parts.' })
export class PartUrlsResponse {
  @ApiProperty({ type: [PartUrlResponse], description: 'One for each requested part, in the order of the request.' })
  urls: PartUrlResponse[];
}
