import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EnumField, IntegerField, TextField } from '#infra/http/dto/fields';

const IN_NEWEST = 'The number of builds that have it, of the newest 5,000.';

@ApiSchema({ description: 'A platform, and the number of builds that a project has for it.' })
export class PlatformFacetResponse {
  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform.' })
  value: Platform;

  @IntegerField({ min: 1, example: 12, description: 'The number of builds for it, at most 5,000.' })
  count: number;
}

@ApiSchema({ description: 'A version or branch, and the number of builds that a project has of it.' })
export class TextFacetResponse {
  @TextField({ max: 255, example: '1.4.0', description: 'The version or branch.' })
  value: string;

  @IntegerField({ min: 1, example: 12, description: IN_NEWEST })
  count: number;
}

@ApiSchema({ description: 'The values that filters of the list of builds can have, the latest uploaded first.' })
export class BuildFacetsResponse {
  @ApiProperty({ type: [PlatformFacetResponse], description: 'All platforms that have builds.' })
  platforms: PlatformFacetResponse[];

  @ApiProperty({ type: [TextFacetResponse], description: 'The hundred versions that were uploaded last.' })
  versions: TextFacetResponse[];

  @ApiProperty({ type: [TextFacetResponse], description: 'The hundred branches that were uploaded last.' })
  branches: TextFacetResponse[];
}
