import { type Developer } from './developer';
import { type DeveloperResponse } from './dto/developer.response';

export const toDeveloperResponse = (developer: Developer): DeveloperResponse => ({
  id: developer.id,
  email: developer.email,
  name: developer.name,
  email_verified: developer.emailVerified,
  // Second factors come with a later version; until then nobody has one.
  mfa_enabled: false,
  created_at: developer.createdAt.toISOString(),
});
