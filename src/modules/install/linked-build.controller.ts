import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InstallRoutes } from './install.controller';
import { InstallService } from './install.service';
import { InstallPagesService } from './page/install-pages.service';

/** The page and files of one build that a link reaches. */
@ApiTags('Install')
@Controller('install/:invite_token/builds/:build_id')
export class LinkedBuildController extends InstallRoutes {
  constructor(install: InstallService, pages: InstallPagesService) {
    super(install, pages);
  }
}
