import { createHash, createHmac } from 'node:crypto';
import { type CdnFile, type CdnSigner, encoded, secondsOf, uriOf } from './cdn-signer';

export interface TemplateOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly seconds: number;
  readonly secret: string;
  /** What follows the URL. Its values are percent-encoded. */
  readonly template: string;
  /** What is signed. Its values are as they are. */
  readonly signedText: string;
}

type Values = Readonly<Record<string, string>>;

/**
 * Signs URLs of any edge that verifies an HMAC-SHA256, or the MD5 of nginx (nginx documentation, "ngx_http_secure_link_module"). Both forms
 * are templates, which the configuration has checked.
 */
export class TemplateSigner implements CdnSigner {
  constructor(private readonly options: TemplateOptions) {}

  urlOf({ key, fileName, headers, now }: CdnFile): string {
    const { url, seconds, secret, template, signedText } = this.options;
    const values: Values = {
      key,
      file_name: fileName,
      content_disposition: headers.contentDisposition,
      content_type: headers.contentType,
      cache_control: headers.cacheControl,
      issued: String(secondsOf(now)),
      expires: String(secondsOf(now) + seconds),
    };
    // A key consists of characters that need no encoding, and its slashes separate segments of the path.
    const inUrl = { ...mapped(values, encoded), key };
    const unsigned = `${url}/${filled(template, inUrl)}`;
    const uri = uriOf(unsigned).replace(/[?&][\w-]+=\{\w+\}$/, '');
    const path = decodeURIComponent(uriOf(unsigned).split('?', 1)[0] ?? '');
    const text = filled(signedText, { ...values, uri, path, secret });
    const hmac = createHmac('sha256', secret).update(text).digest();
    const md5 = createHash('md5').update(text).digest('base64url');
    return filled(unsigned, { hmac: hmac.toString('base64url'), hmac_hex: hmac.toString('hex'), md5 });
  }
}

/** Replaces placeholders. Those without a value stay. */
const filled = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);

const mapped = (values: Values, change: (value: string) => string): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
