import { type Developer } from './developer';
import { type DeveloperResponse } from './dto/developer.response';

export const toDeveloperResponse = (developer: Developer, mfaEnabled: boolean): DeveloperResponse => ({
  id: developer.id,
  email: developer.email,
  name: developer.name,
  email_verified: developer.emailVerified,
  mfa_enabled: mfaEnabled,
  language: developer.language,
  created_at: developer.createdAt.toISOString(),
});
