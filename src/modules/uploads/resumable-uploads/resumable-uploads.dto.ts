import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_PARTS } from '#infra/blob/part-uploads';
import { EXAMPLE } from '#infra/http/dto/example';
import {
  BlankIsAbsent,
  BooleanField,
  EnumField,
  IdField,
  IntegerField,
  IntegerSetField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import {
  type Architecture,
  ArchitectureField,
  type AttachmentKind,
  AttachmentKindField,
  SignatureField,
} from '#modules/builds';
import { CreateBuildRequest } from '../uploads.dto';
import { PART_ROUTES, type PartRoute } from './resumable-upload';

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

  @IdField({
    optional: true,
    of: 'build',
    description:
      'Adds the file to this build, instead of making one. It needs `kind`. Of the text parts of `POST /builds` only `sha256` has an effect then.',
  })
  build_id?: string;

  @BlankIsAbsent()
  @AttachmentKindField({ optional: true })
  kind?: AttachmentKind;

  @BlankIsAbsent()
  @ArchitectureField({ optional: true })
  arch?: Architecture;

  @BlankIsAbsent()
  @SignatureField({ optional: true })
  signature?: string;
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

const CREATOR_KINDS = ['developer', 'project_access_token'];

@ApiSchema({ description: 'The owner of the credential that started an upload.' })
class UploadCreatedByResponse {
  @EnumField(CREATOR_KINDS, { description: 'A personal access token counts as its developer.' })
  kind: string;

  @IdField({ nullable: true, of: 'developer', description: 'The id of the developer or the token.' })
  id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'ann@example.com',
    description:
      'The name of a developer, the e-mail address of one without a name, or the name of a token. `null` when it was deleted.',
  })
  label: string | null;
}

@ApiSchema({ description: 'An upload that is not complete.' })
export class OpenUploadResponse {
  @IdField({ of: 'upload' })
  id: string;

  @TextField({ max: 1000, description: 'The name of the file.', example: EXAMPLE.fileName })
  file_name: string;

  @IntegerField({ min: 1, description: 'The size of the whole file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @IntegerField({ min: 1, description: 'Size of every part but the last.', example: 8_388_608 })
  part_size_bytes: number;

  @IntegerField({ min: 1, description: 'The number of parts.', example: 3 })
  part_count: number;

  @IntegerField({
    min: 0,
    nullable: true,
    example: 8_388_608,
    description: 'The bytes of all parts that have arrived. `null` while the store is unavailable.',
  })
  arrived_bytes: number | null;

  @ApiProperty({
    type: UploadCreatedByResponse,
    nullable: true,
    description: 'Who started the upload. `null` when that is unknown.',
  })
  created_by: UploadCreatedByResponse | null;

  @TimeField({ description: 'When the upload was started.', example: '2026-11-20T18:01:12.400Z' })
  created_at: string;

  @TimeField({
    description: 'When the upload expires: a day after its last use, and a week after its start.',
    example: '2026-11-21T18:01:12.400Z',
  })
  expires_at: string;
}

@ApiSchema({ description: 'A page of open uploads.' })
export class OpenUploadPage extends PageOf(OpenUploadResponse) {}

@ApiSchema({ description: 'A URL that accepts one part.' })
export class PartUrlResponse {
  @IntegerField({ min: 1, example: 1, description: 'The number of the part.' })
  part_number: number;

  @IntegerField({ min: 1, example: 8_388_608, description: 'The exact size of the part, in bytes.' })
  size_bytes: number;

  @TextField({
    max: 4000,
    description:
      'Send the bytes of the part to this URL by PUT, without a form. No other credential is needed. With `through: service`, a path on ' +
      'the origin of this API.',
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
