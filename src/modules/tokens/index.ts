export { PersonalAccessTokensService } from './personal-access-tokens.service';
export { ProjectAccessTokensService } from './project-access-tokens.service';
export { TokensModule } from './tokens.module';
