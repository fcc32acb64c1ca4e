import { Global, Module } from '@nestjs/common';
import { BuildsModule } from '#modules/builds';
import { AudienceViews } from '#modules/releases';
import { AdoptionRepository } from './adoption.repository';
import { AdoptionService } from './adoption.service';
import { AudienceRepository } from './audience.repository';
import { BuildAdoptionController } from './build-adoption.controller';
import { ProjectAdoptionController } from './project-adoption.controller';

@Global()
@Module({
  imports: [BuildsModule],
  controllers: [BuildAdoptionController, ProjectAdoptionController],
  providers: [AdoptionRepository, AdoptionService, { provide: AudienceViews, useClass: AudienceRepository }],
  exports: [AudienceViews],
})
export class AdoptionModule {}
