import { IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min } from 'class-validator';
import { Variable } from '../variable';
import { LOCAL_URL } from './values';

/** The content delivery network (CDN) in front of the hosted store (docs/cdn.md). */
export class CdnConfig {
  @Variable('DOWNLOAD_CDN', {
    describe:
      'CDN that downloads from the hosted store are redirected to: "cloudfront" or "cloudflare" (with S3), "frontdoor" (with Azure), or "template" for any other edge (docs/cdn.md). Default: none; the store itself sends them.',
  })
  @IsOptional()
  @IsIn(['cloudfront', 'cloudflare', 'frontdoor', 'template'])
  provider: 'cloudfront' | 'cloudflare' | 'frontdoor' | 'template' | undefined;

  @Variable('DOWNLOAD_CDN_URL', {
    describe: 'URL of the CDN; the key of a file follows it. Required with DOWNLOAD_CDN.',
  })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  url: string | undefined;

  @Variable('DOWNLOAD_CDN_KEY', {
    secret: true,
    describe:
      'Key that signs URLs: a private key in PEM (cloudfront), else a secret of at least 32 characters. Not used by frontdoor.',
  })
  @IsOptional()
  @IsString()
  key: string | undefined;

  @Variable('DOWNLOAD_CDN_KEY_FILE', { describe: 'File that contains the key, instead of DOWNLOAD_CDN_KEY.' })
  @IsOptional()
  @IsString()
  keyFile: string | undefined;

  @Variable('DOWNLOAD_CDN_KEY_ID', {
    describe: 'Id of the public key in CloudFront. Required with DOWNLOAD_CDN=cloudfront.',
  })
  @IsOptional()
  @Matches(/^[\w.-]{1,128}$/)
  keyId: string | undefined;

  @Variable('DOWNLOAD_CDN_SECONDS', {
    default: '900',
    describe: 'Seconds for which a signed URL of the CDN is valid. With cloudflare, the lifetime in its rule.',
  })
  @IsInt()
  @Min(61)
  @Max(86_400)
  seconds: number;

  @Variable('DOWNLOAD_CDN_TEMPLATE', {
    describe:
      'What follows DOWNLOAD_CDN_URL with DOWNLOAD_CDN=template, such as "{key}/{file_name}?expires={expires}&signature={hmac}" (docs/cdn.md).',
  })
  @IsOptional()
  @IsString()
  template: string | undefined;

  @Variable('DOWNLOAD_CDN_SIGNED_TEXT', {
    default: '{uri}',
    describe:
      'Text that DOWNLOAD_CDN=template signs. {uri}: the path and query of the URL before the parameter that has the signature.',
  })
  @IsString()
  signedText: string;
}
