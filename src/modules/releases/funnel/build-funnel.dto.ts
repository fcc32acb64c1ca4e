import { ApiSchema } from '@nestjs/swagger';
import { IntegerField } from '#infra/http/dto/fields';

@ApiSchema({
  description: 'How many testers got from the mail about a build to its download, and how many apps run it.',
})
export class BuildFunnelResponse {
  @IntegerField({
    min: 0,
    example: 34,
    description: 'Testers who were mailed about a release of the build, or invited to it.',
  })
  mailed: number;

  @IntegerField({ min: 0, example: 15, description: 'Those of them who opened a link since, or downloaded the build.' })
  opened: number;

  @IntegerField({ min: 0, example: 9, description: 'Those of them who downloaded the build through a link of theirs.' })
  downloaded: number;

  @IntegerField({
    min: 0,
    example: 12,
    description:
      'Installations of the app that reported to run the build when they checked for updates, each once. They are anonymous: also of people who were not mailed.',
  })
  running: number;
}
