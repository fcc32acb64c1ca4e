import { ApiSchema } from '@nestjs/swagger';
import { PasswordField } from '#infra/http/dto/password-field';

@ApiSchema({ description: 'Confirms that the owner of the account requests the export.' })
export class RequestExportRequest {
  @PasswordField()
  password: string;
}
