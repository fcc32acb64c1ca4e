export { NewPersonalAccessTokenResponse } from './dto/personal-access-token.dto';
export { type LabelledOwner, ownerLabel, OwnerLabelsService } from './owner-labels.service';
export { type NewPersonalAccessToken } from './personal/personal-access-token';
export { PersonalAccessTokensService } from './personal/personal-access-tokens.service';
export { ProjectAccessTokensService } from './project/project-access-tokens.service';
export { TOKENS_FILES, TokensErasure } from './tokens.account-data';
export { toNewPersonalAccessTokenResponse } from './tokens.mapper';
export { TokensModule } from './tokens.module';
