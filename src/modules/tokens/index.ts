export { NewPersonalAccessTokenResponse } from './personal/personal-access-tokens.dto';
export { type LabelledOwner, OwnerLabelsService } from './owner-labels.service';
export { type NewPersonalAccessToken, PersonalAccessTokensService } from './personal/personal-access-tokens.service';
export { ProjectAccessTokensService } from './project/project-access-tokens.service';
export { TOKENS_FILES, TokensErasure } from './tokens.account-data';
export { toNewPersonalAccessTokenResponse } from './tokens.mapper';
export { TokensModule } from './tokens.module';
