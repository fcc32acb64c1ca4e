import { TextField, TimeField } from '#infra/http/dto/fields';

export class DownloadUrlResponse {
  @TextField({
    max: 4000,
    description: 'Needs no other credential.',
    example: 'https://install.example.com/download/kq0YyX/Demo.ipa',
  })
  url: string;

  @TimeField()
  expires_at: string;
}
