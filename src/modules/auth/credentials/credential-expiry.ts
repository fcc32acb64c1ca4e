import { decode } from 'jsonwebtoken';
import { type AppRequest } from '#infra/http/request/app-request';
import { credentialOf } from './credential';

/** When the access JWT of an authenticated request expires; null for other credentials. */
export function credentialExpiry(request: AppRequest): Date | null {
  const claims = decode(credentialOf(request)?.value ?? '', { json: true });
  return claims?.exp === undefined ? null : new Date(claims.exp * 1000);
}
