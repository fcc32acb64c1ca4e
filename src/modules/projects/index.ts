export { type Project, type ProjectScope } from './project';
export { ProjectsModule } from './projects.module';
export { ProjectsService } from './projects.service';
