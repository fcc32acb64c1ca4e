import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';

const EXAMPLE = 'WVyVJpOx+a5+vNWJVY79TRjFKveNk+VhGJf2iti4CZtJsJewIUGvh/1AKKEAFbH1qUwx+vro1ECuzOsMmumoBA==';
const DESCRIPTION =
  'The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. `null` when there is none.';

@ApiSchema({ description: 'The signature of a build for its updater.' })
export class UpdateSignatureRequest {
  @TextField({ max: 1024, nullable: true, pattern: /^[A-Za-z0-9+/=]+$/, example: EXAMPLE, description: DESCRIPTION })
  signature: string | null;
}

@ApiSchema({ description: 'The signature of a build for its updater.' })
export class UpdateSignatureResponse {
  @TextField({ max: 1024, nullable: true, example: EXAMPLE, description: DESCRIPTION })
  signature: string | null;
}
