import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type QuotaUse } from '#kernel/quota';
import { EnumField, IntegerField } from '#infra/http/dto/fields';

const QUOTAS = [
  'projects_per_organization',
  'members_per_organization',
  'channels_per_project',
  'testers_per_project',
  'devices_per_project',
  'tokens_per_project',
  'open_uploads',
  'open_upload_bytes',
];

@ApiSchema({ description: 'A limit that the operator has configured, and how much of it is used.' })
export class QuotaUseResponse {
  @EnumField(QUOTAS, {
    description:
      'The name of the quota, as in `details.quota` of an error. `tokens_per_project` counts valid project access tokens, `open_uploads` ' +
      'counts uploads in parts that are not complete. `open_upload_bytes` is the announced sizes of all uploads of an organization to the ' +
      'hosted store that are not complete, in bytes. It is absent when the organization has no such limit.',
  })
  quota: string;

  @IntegerField({ min: 0, example: 1000, description: 'The maximum.' })
  limit: number;

  @IntegerField({
    min: 0,
    example: 3,
    description: 'The number, or the bytes, in use now. More than `limit` when it was lowered later.',
  })
  used: number;
}

@ApiSchema({ description: 'The quotas of an organization or a project.' })
export class QuotasResponse {
  @ApiProperty({ type: [QuotaUseResponse], description: 'Each quota that applies once, always in the same order.' })
  quotas: QuotaUseResponse[];
}

export const toQuotasResponse = (quotas: readonly QuotaUse[]): QuotasResponse => ({
  quotas: quotas.map(({ name, limit, used }) => ({ quota: name, limit, used })),
});
