import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'A new organization.' })
export class CreateOrganizationRequest {
  @TextField({
    max: 100,
    example: 'Example Inc.',
    description: 'The name of the organization. It need not be unique. Testers see it on install pages and in mails.',
  })
  name: string;
}

@ApiSchema({ description: 'Changes of an organization. Absent fields stay as they are.' })
export class UpdateOrganizationRequest {
  @TextField({
    max: 100,
    optional: true,
    example: 'Example Inc.',
    description: 'The name of the organization. It need not be unique. Testers see it on install pages and in mails.',
  })
  name?: string;
}
