import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The files pages refer to, in the order they are hashed: a file may name an earlier one as `url(name)`. */
const ASSET_FILES = ['logo.svg', 'slice.svg', 'page.css', 'page.browser.js', 'captcha.browser.js'] as const;
export type AssetName = (typeof ASSET_FILES)[number];

/** The route the assets are served under, on every host that shows pages. */
export const ASSET_ROUTE = '/assets';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** One file as it is served: its path changes with its content, so a browser may keep it for ever. */
export interface PageAsset {
  /** Absolute path on the host: `/assets/page.1a2b3c4d5e.css`. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Our own static files, read once, each under the name of its content. */
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

  /** The asset at a request's path, or null. A superseded hash is not found: pages are never stored, so none names it. */
  find(path: string): PageAsset | null {
    return this.byPath.get(path) ?? null;
  }

  /** What a page writes into `href` or `src`. */
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
