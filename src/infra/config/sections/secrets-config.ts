import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Variable } from '../variable';

/** Keys and secrets. Outside production, missing ones are generated in DATA_DIR; in production they are required. */
export class SecretsConfig {
  @Variable('JWT_PRIVATE_KEYS_FILE', {
    describe: 'PEM file of RSA private keys of at least 2048 bits. The first key signs tokens; all keys verify.',
  })
  @IsOptional()
  @IsString()
  jwtPrivateKeysFile: string | undefined;

  @Variable('MASTER_KEYS', {
    secret: true,
    describe:
      'Comma-separated id:base64 of 32-byte keys that encrypt secrets at rest. The first key encrypts; all keys decrypt.',
  })
  @IsOptional()
  @IsString()
  masterKeys: string | undefined;

  @Variable('PASSWORD_PEPPER', {
    secret: true,
    describe: 'Base64 of at least 32 bytes, used in password hashes and digests of addresses. Never change it.',
  })
  @IsOptional()
  @IsString()
  passwordPepper: string | undefined;

  @Variable('REFRESH_REUSE_LEEWAY_SECONDS', {
    default: '10',
    describe: 'Seconds during which reusing a rotated refresh token responds with 401 without ending the session.',
  })
  @IsInt()
  @Min(0)
  @Max(60)
  refreshReuseLeewaySeconds: number;
}
