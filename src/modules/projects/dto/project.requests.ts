import { BooleanField, TextField } from '#infra/http/dto/fields';

const ANY_BUNDLE_ID = 'True: accept builds with any bundle id. False: the first build of each platform pins it.';

export class CreateProjectRequest {
  @TextField({ max: 100, example: 'Demo' })
  name: string;

  @BooleanField({ optional: true, description: ANY_BUNDLE_ID, example: false })
  allow_any_bundle_id?: boolean;
}

export class UpdateProjectRequest {
  @TextField({ max: 100, optional: true, example: 'Demo' })
  name?: string;

  @BooleanField({ optional: true, description: ANY_BUNDLE_ID, example: false })
  allow_any_bundle_id?: boolean;
}
