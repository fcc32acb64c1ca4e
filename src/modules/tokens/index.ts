export { PersonalAccessTokensService } from './personal/personal-access-tokens.service';
export { ProjectAccessTokensService } from './project/project-access-tokens.service';
export { TokensModule } from './tokens.module';
