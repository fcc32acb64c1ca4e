import { NOTES_LENGTH } from '#kernel/builds/notes';
import { TextField } from '#infra/http/dto/fields';

export class UpdateBuildRequest {
  @TextField({ max: NOTES_LENGTH, optional: true, nullable: true, example: 'Fixes the login on small screens.' })
  notes?: string | null;
}
