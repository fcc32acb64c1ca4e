import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { BlankIsAbsent, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import {
  type Architecture,
  ARCHITECTURES,
  type Attachment,
  ATTACHMENT_KINDS,
  type AttachmentDraft,
  type AttachmentKind,
} from './attachment';

const FILE_NAME = 'Demo-1.4.0-arm64-mac.zip';

interface PartOptions {
  readonly description?: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
}

export const AttachmentKindField = (options: PartOptions = {}): PropertyDecorator =>
  EnumField(ATTACHMENT_KINDS, {
    name: 'AttachmentKind',
    example: 'update',
    description:
      '`update`: a package for the updater of the app, beside a build that people install. `blockmap`: the block map of the file whose name it has before `.blockmap`. The other kinds are kept and can be downloaded.',
    ...options,
  });

export const ArchitectureField = (options: PartOptions = {}): PropertyDecorator =>
  EnumField(ARCHITECTURES, {
    name: 'Architecture',
    example: 'arm64',
    description:
      'The architecture that the file is for. Default: read from the header of an ELF file (an AppImage), else from the file name.',
    ...options,
  });

export const SignatureField = (options: PartOptions = {}): PropertyDecorator =>
  TextField({
    max: 1024,
    pattern: /^[A-Za-z0-9+/=]+$/,
    example: 'WVyVJpOx+a5+vNWJVY79TRjFKveNk+VhGJf2iti4CZtJsJewIUGvh/1AKKEAFbH1qUwx+vro1ECuzOsMmumoBA==',
    description:
      'The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. The service verifies none.',
    ...options,
  });

/** The text parts beside `file`. */
export class CreateAttachmentRequest {
  @AttachmentKindField()
  kind: AttachmentKind;

  @BlankIsAbsent()
  @ArchitectureField({ optional: true })
  arch?: Architecture;

  @BlankIsAbsent()
  @SignatureField({ optional: true })
  signature?: string;

  @BlankIsAbsent()
  @TextField({
    max: 64,
    optional: true,
    pattern: /^[0-9a-fA-F]{64}$/,
    description:
      'The SHA-256 of the file in hexadecimal. If the received bytes have another one, the upload is rejected (`sha256_mismatch`).',
    example: EXAMPLE.sha256,
  })
  sha256?: string;
}

/** The multipart body as the OpenAPI document shows it. The parts may come in any order. */
@ApiSchema({ description: 'A file that is added to a build.' })
export class AttachmentForm extends CreateAttachmentRequest {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The file, with its name.' })
  file: unknown;
}

@ApiSchema({ description: 'A file beside the artifact of a build.' })
export class AttachmentResponse {
  @IdField({ of: 'attachment' })
  id: string;

  @IdField({ of: 'build' })
  build_id: string;

  @AttachmentKindField()
  kind: AttachmentKind;

  @ArchitectureField({
    nullable: true,
    description: 'The architecture that the file is for. `null` when it is unknown.',
  })
  arch: Architecture | null;

  @TextField({ max: 255, example: FILE_NAME, description: 'The name of the file. A build has each name once.' })
  file_name: string;

  @IntegerField({ min: 1, example: EXAMPLE.fileBytes, description: 'The size of the file, in bytes.' })
  size_bytes: number;

  @TextField({ max: 64, example: EXAMPLE.sha256, description: 'The SHA-256 of the file in lower-case hexadecimal.' })
  sha256: string;

  @TextField({
    max: 128,
    example: EXAMPLE.sha256.repeat(2),
    description: 'The SHA-512 of the file in lower-case hexadecimal.',
  })
  sha512: string;

  @SignatureField({ nullable: true })
  signature: string | null;

  @TimeField({ description: 'When the file was uploaded.', example: '2026-11-20T18:09:14.298Z' })
  created_at: string;
}

@ApiSchema({ description: 'The attachments of a build.' })
export class AttachmentsResponse {
  @ApiProperty({ type: [AttachmentResponse], description: 'All of them, at most 20, the oldest first.' })
  items: AttachmentResponse[];
}

export const toAttachmentDraft = ({ kind, arch, signature, sha256 }: CreateAttachmentRequest): AttachmentDraft => ({
  kind,
  arch,
  signature,
  sha256,
});

export const toAttachmentResponse = (attachment: Attachment, buildId: string): AttachmentResponse => ({
  id: attachment.id,
  build_id: buildId,
  kind: attachment.kind,
  arch: attachment.arch,
  file_name: attachment.fileName,
  size_bytes: attachment.sizeBytes,
  sha256: attachment.sha256,
  sha512: attachment.sha512.toString('hex'),
  signature: attachment.signature,
  created_at: attachment.createdAt.toISOString(),
});
