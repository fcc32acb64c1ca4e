import { TextField } from '#infra/http/dto/fields';

export class CreateOrganizationRequest {
  @TextField({ max: 100, example: 'Example Inc.' })
  name: string;
}

export class UpdateOrganizationRequest {
  @TextField({ max: 100, optional: true, example: 'Example Inc.' })
  name?: string;
}
