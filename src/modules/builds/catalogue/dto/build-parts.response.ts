import { BooleanField, IdField, IntegerField, TextField } from '#infra/http/dto/fields';
import { ApiProperty } from '@nestjs/swagger';

export class UploadedByResponse {
  @TextField({ max: 40, example: 'project_access_token', description: '`developer` or `project_access_token`.' })
  kind: string;

  @IdField({ nullable: true })
  id: string | null;
}

/** The app, as described by the artifact. */
export class AppResponse {
  @TextField({ max: 255, nullable: true, example: 'Demo' })
  name: string | null;

  @TextField({ max: 255, nullable: true, example: 'com.example.demo' })
  bundle_id: string | null;

  @TextField({ max: 64, nullable: true, example: '15.0' })
  min_os_version: string | null;

  @ApiProperty({ type: [String], description: 'iOS: iphone, ipad, tv, watch, vision.', example: ['iphone', 'ipad'] })
  device_families: string[];

  @ApiProperty({
    type: [String],
    description: 'Android: ABIs of the native code. Empty when it runs on any.',
    example: [],
  })
  abis: string[];

  @IntegerField({ min: 0, nullable: true, description: 'Android: API level.', example: 24 })
  min_sdk: number | null;

  @IntegerField({ min: 0, nullable: true, description: 'Android: API level.', example: 34 })
  target_sdk: number | null;

  @BooleanField({ example: false })
  debuggable: boolean;
}

/** The source code that a build was made from. */
export class SourceResponse {
  @TextField({ max: 255, nullable: true, example: 'main' })
  branch: string | null;

  @TextField({ max: 64, nullable: true, example: '9fceb02' })
  commit: string | null;

  @TextField({ max: 2000, nullable: true, example: 'https://ci.example.com/jobs/7' })
  ci_url: string | null;
}

/** How often the artifact was downloaded. Ranges and retries with one download URL count once. */
export class DownloadCountsResponse {
  @IntegerField({ min: 0, example: 12 })
  total: number;

  @IntegerField({ min: 0, description: 'Testers who downloaded it at least once.', example: 5 })
  unique_testers: number;
}

export class WarningResponse {
  @TextField({ max: 64, example: 'profile_expires_soon' })
  code: string;

  @TextField({ max: 1000, example: 'The provisioning profile expires in 12 days.' })
  message: string;
}
