import { ApiSchema } from '@nestjs/swagger';
import { type Language, LANGUAGES } from '#kernel/text/language';
import { BooleanField, EnumField, TextField } from '#infra/http/dto/fields';
import { OrganizationPageQuery } from '#infra/http/dto/scope-query';

const NAME = 'The name of the app. Unique in the organization. Testers see it on install pages and in mails.';
const LANGUAGE = 'The language of the mails to testers. Pages for testers follow the language of their browser.';
const ANY_BUNDLE_ID = 'True: accept builds with any bundle id. False: the first build of each platform pins it.';

@ApiSchema({ description: 'A new project.' })
export class CreateProjectRequest {
  @TextField({ max: 100, example: 'Demo', description: NAME })
  name: string;

  @BooleanField({ optional: true, description: ANY_BUNDLE_ID, example: false })
  allow_any_bundle_id?: boolean;

  @EnumField(LANGUAGES, { optional: true, name: 'Language', description: `${LANGUAGE} Default: \`en\`.` })
  language?: Language;
}

@ApiSchema({ description: 'Changes of a project. Absent fields stay as they are.' })
export class UpdateProjectRequest {
  @TextField({ max: 100, optional: true, example: 'Demo', description: NAME })
  name?: string;

  @BooleanField({ optional: true, description: ANY_BUNDLE_ID, example: false })
  allow_any_bundle_id?: boolean;

  @EnumField(LANGUAGES, { optional: true, name: 'Language', description: LANGUAGE })
  language?: Language;
}

export class ListProjectsQuery extends OrganizationPageQuery {
  @TextField({
    max: 200,
    optional: true,
    description: 'Lists only projects whose name contains this text.',
    example: 'Demo',
  })
  q?: string;

  @EnumField(['summary'], { optional: true, description: '`summary` adds a summary to each project.' })
  include?: 'summary';
}
