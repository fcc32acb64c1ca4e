import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectContactsService } from './members/project-contacts.service';
import { ProjectMembersController } from './members/project-members.controller';
import { ProjectMembershipEntity, ProjectMembersRepository } from './members/project-members.repository';
import { ProjectMembersService } from './members/project-members.service';
import { ProjectsErasure } from './projects.account-data';
import { ProjectsController } from './projects.controller';
import { ProjectEntity, ProjectsRepository } from './projects.repository';
import { ProjectsService } from './projects.service';

@Module({
  imports: [TypeOrmModule.forFeature([ProjectEntity, ProjectMembershipEntity]), OrganizationsModule],
  controllers: [ProjectMembersController, ProjectsController],
  providers: [
    ProjectContactsService,
    ProjectMembersRepository,
    ProjectMembersService,
    ProjectsErasure,
    ProjectsRepository,
    ProjectsService,
  ],
  exports: [ProjectContactsService, ProjectsErasure, ProjectsService],
})
export class ProjectsModule {}
