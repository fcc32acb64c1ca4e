import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'Changes of the lowest supported versions. Absent fields stay as they are.' })
export class ChangeMinSupportedRequest {
  @TextField({
    max: 128,
    optional: true,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of iOS apps that is supported. `null`: every version.',
  })
  ios?: string | null;

  @TextField({
    max: 128,
    optional: true,
    nullable: true,
    example: '40',
    description: 'The lowest version code of Android apps that is supported. `null`: every version.',
  })
  android?: string | null;

  @TextField({
    max: 128,
    optional: true,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of macOS apps that is supported. `null`: every version.',
  })
  macos?: string | null;

  @TextField({
    max: 128,
    optional: true,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of Windows apps that is supported. `null`: every version.',
  })
  windows?: string | null;

  @TextField({
    max: 128,
    optional: true,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of Linux apps that is supported. `null`: every version.',
  })
  linux?: string | null;
}

@ApiSchema({ description: 'The lowest version of each platform that a project still supports.' })
export class MinSupportedResponse {
  @TextField({
    max: 128,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of iOS apps that is supported. `null`: every version.',
  })
  ios: string | null;

  @TextField({
    max: 128,
    nullable: true,
    example: '40',
    description: 'The lowest version code of Android apps that is supported. `null`: every version.',
  })
  android: string | null;

  @TextField({
    max: 128,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of macOS apps that is supported. `null`: every version.',
  })
  macos: string | null;

  @TextField({
    max: 128,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of Windows apps that is supported. `null`: every version.',
  })
  windows: string | null;

  @TextField({
    max: 128,
    nullable: true,
    example: '1.2.0',
    description: 'The lowest version of Linux apps that is supported. `null`: every version.',
  })
  linux: string | null;
}
