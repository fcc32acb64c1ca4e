import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import { EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { type DeletionPreview } from './deletion-preview';

@ApiSchema({ description: 'A build that would be deleted.' })
export class DeletableBuildResponse {
  @IdField({ of: 'build' })
  id: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform that the build runs on.' })
  platform: Platform;

  @TextField({ max: 128, example: '1.4.0', description: 'The version that people see.' })
  version: string;

  @TextField({ max: 128, nullable: true, example: '42', description: 'Distinguishes builds of one version.' })
  build_number: string | null;

  @TextField({ max: 255, nullable: true, example: 'main', description: 'The branch that it was made from.' })
  branch: string | null;

  @TimeField({ description: 'When the upload was complete.' })
  uploaded_at: string;

  @IntegerField({ min: 1, example: EXAMPLE.fileBytes, description: 'The size of the file, in bytes.' })
  size_bytes: number;
}

@ApiSchema({ description: 'The builds that would be deleted now.' })
export class DeletionPreviewResponse {
  @IntegerField({ min: 0, example: 1, description: 'The number of builds that would be deleted.' })
  builds: number;

  @IntegerField({
    min: 0,
    example: 0,
    description: 'The number of builds that meet the conditions and would stay, because they are protected.',
  })
  kept: number;

  @IntegerField({
    min: 0,
    example: EXAMPLE.fileBytes,
    description: 'The size of their files, with attachments, in bytes.',
  })
  bytes: number;

  @IntegerField({
    min: 0,
    example: 4200,
    description:
      'What the storage of these files costs per month, in micro-dollars. 0 for files in the storage of the organization, and while the service does not bill.',
  })
  saves_micro_usd_per_month: number;

  @ApiProperty({ type: [DeletableBuildResponse], description: 'Up to 100 of the builds, the oldest first.' })
  sample: DeletableBuildResponse[];

  @TextField({
    max: 1000,
    example: 'AQZtYWluLTE',
    description: 'Proves the preview to the request that acts on it. It is valid for an hour.',
  })
  fingerprint: string;

  @TimeField({ description: 'When the fingerprint expires.' })
  fingerprint_expires_at: string;
}

export const toDeletionPreviewResponse = (preview: DeletionPreview): DeletionPreviewResponse => ({
  builds: preview.builds,
  kept: preview.kept,
  bytes: preview.bytes,
  saves_micro_usd_per_month: Number(preview.savesMicroUsdPerMonth),
  sample: preview.sample.map((build) => ({
    id: build.id,
    platform: build.platform,
    version: build.version,
    build_number: build.buildNumber,
    branch: build.branch,
    uploaded_at: build.uploadedAt.toISOString(),
    size_bytes: build.sizeBytes,
  })),
  fingerprint: preview.fingerprint,
  fingerprint_expires_at: preview.expiresAt.toISOString(),
});
