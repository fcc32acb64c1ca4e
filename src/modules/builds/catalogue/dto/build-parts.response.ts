import { BooleanField, IdField, IntegerField, TextField } from '#infra/http/dto/fields';
import { ApiProperty } from '@nestjs/swagger';

export class UploadedByResponse {
  @TextField({ max: 40, example: 'project_access_token', description: '`developer` or `project_access_token`.' })
  kind: string;

  @IdField({ nullable: true })
  id: string | null;
}

/** What the artifact says about the app. */
export class AppResponse {
  @TextField({ max: 255, nullable: true, example: 'Demo' })
  name: string | null;

  @TextField({ max: 255, nullable: true, example: 'com.example.demo' })
  bundle_id: string | null;

  @TextField({ max: 64, nullable: true, example: '15.0' })
  min_os_version: string | null;

  @ApiProperty({ type: [String], description: 'iOS: iphone, ipad, tv, watch, vision.', example: ['iphone', 'ipad'] })
  device_families: string[];

  @ApiProperty({ type: [String], description: 'Android: processors of its native code; empty for any.', example: [] })
  abis: string[];

  @IntegerField({ min: 0, nullable: true, description: 'Android: API level.', example: 24 })
  min_sdk: number | null;

  @IntegerField({ min: 0, nullable: true, description: 'Android: API level.', example: 34 })
  target_sdk: number | null;

  @BooleanField({ example: false })
  debuggable: boolean;
}

/** Where a build came from. */
export class SourceResponse {
  @TextField({ max: 255, nullable: true, example: 'main' })
  branch: string | null;

  @TextField({ max: 64, nullable: true, example: '9fceb02' })
  commit: string | null;

  @TextField({ max: 2000, nullable: true, example: 'https://ci.example.com/jobs/7' })
  ci_url: string | null;
}

/** How often the artifact was fetched. Ranges and retries of one download URL count once. */
export class DownloadCountsResponse {
  @IntegerField({ min: 0, example: 12 })
  total: number;

  @IntegerField({ min: 0, description: 'Testers who fetched it at least once.', example: 5 })
  unique_testers: number;
}

export class WarningResponse {
  @TextField({ max: 64, example: 'profile_expires_soon' })
  code: string;

  @TextField({ max: 1000, example: 'The provisioning profile expires in 12 days.' })
  message: string;
}
