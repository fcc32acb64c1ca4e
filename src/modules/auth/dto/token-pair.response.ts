import { TextField } from '#infra/http/dto/fields';

export class TokenPairResponse {
  @TextField({ max: 8192, description: 'Access JWT, valid for ten minutes.', example: 'eyJhbGciOiJSUzI1NiIs…' })
  token: string;

  @TextField({ max: 100, description: 'Can be used once; each refresh returns a new pair.', example: 'ag_ref_…' })
  refresh_token: string;
}
