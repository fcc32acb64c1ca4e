import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The files that pages refer to, in the order of hashing: a file may refer to an earlier one as `url(name)`. */
const ASSET_FILES = ['logo.svg', 'slice.svg', 'page.css', 'page.browser.js', 'captcha.browser.js'] as const;
export type AssetName = (typeof ASSET_FILES)[number];

const ASSET_ROUTE = '/assets';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** A static file. Its path contains a hash of its content, so browsers may cache it without revalidation. */
export interface PageAsset {
  /** `/assets/page.1a2b3c4d5e.css`. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The static files of the pages, read once at startup. */
export class PageAssets {
  private readonly byName = new Map<string, PageAsset>();
  private readonly byPath = new Map<string, PageAsset>();

  constructor(directory: string = join(__dirname, 'assets')) {
    for (const name of ASSET_FILES) {
      const asset = this.describe(name, readFileSync(join(directory, name), 'utf8'));
      this.byName.set(name, asset);
      this.byPath.set(asset.path, asset);
    }
  }

  list(): readonly PageAsset[] {
    return [...this.byPath.values()];
  }

  /** The asset at a request's path, null when there is none. The hashes of earlier versions are unknown, because pages are not cached. */
  find(path: string): PageAsset | null {
    return this.byPath.get(path) ?? null;
  }

  /** The path of an asset, for `href` or `src`. */
  href(name: AssetName): string {
    return this.byName.get(name)?.path ?? `${ASSET_ROUTE}/${name}`;
  }

  private describe(name: AssetName, source: string): PageAsset {
    const text = source.replace(/url\(([\w.-]+)\)/g, (whole, file: string) => {
      const known = this.byName.get(file);
      return known ? `url(${known.path})` : whole;
    });
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const extension = extname(name);
    const contentType = CONTENT_TYPES[extension] ?? 'application/octet-stream';
    return {
      path: `${ASSET_ROUTE}/${name.slice(0, name.indexOf('.'))}.${hash}${extension}`,
      contentType,
      body: Buffer.from(text, 'utf8'),
      headers: {
        'Content-Type': contentType,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      },
    };
  }
}
