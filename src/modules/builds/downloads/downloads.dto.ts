import { ApiSchema } from '@nestjs/swagger';
import { TextField, TimeField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'A URL that downloads an artifact.' })
export class DownloadUrlResponse {
  @TextField({
    max: 4000,
    example: 'https://install.example.com/download/kq0YyX/Demo.ipa',
    description: 'Downloads the artifact. No other credential is needed, so pass it on with care.',
  })
  url: string;

  @TimeField({ description: 'When the URL stops working: after 30 minutes.', example: '2026-11-20T18:39:14.298Z' })
  expires_at: string;
}
