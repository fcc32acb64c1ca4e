export { type Project } from './project';
export { PROJECTS_FILES, ProjectsErasure } from './projects.account-data';
export { ProjectsModule } from './projects.module';
export { ProjectsService } from './projects.service';
