import { TextField, TimeField } from '#infra/http/dto/fields';

export class DownloadUrlResponse {
  @TextField({
    max: 4000,
    description: 'No other credential is needed.',
    example: 'https://install.example.com/download/kq0YyX/Demo.ipa',
  })
  url: string;

  @TimeField()
  expires_at: string;
}
