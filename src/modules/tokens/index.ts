export { type LabelledOwner, OwnerLabelsService } from './owner-labels.service';
export { PersonalAccessTokensService } from './personal/personal-access-tokens.service';
export { ProjectAccessTokensService } from './project/project-access-tokens.service';
export { TOKENS_FILES, TokensErasure } from './tokens.account-data';
export { TokensModule } from './tokens.module';
