import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { accentStyles, contrastOfAccent, isAccent, MIN_CONTRAST } from './accent';

/** The files that pages refer to, in the order of hashing: a file may refer to an earlier one as `url(name)`. */
const ASSET_FILES = ['logo.svg', 'slice.svg', 'page.css', 'page.browser.js', 'captcha.browser.js'] as const;
export type AssetName = (typeof ASSET_FILES)[number];

const ASSET_ROUTE = '/assets';

/** The style sheet of an accent. It is made from its address, so that it needs no row. */
const ACCENT_PATH = /^\/assets\/accent-([0-9a-f]{6})\.[0-9a-f]{16}\.css$/;
const MAX_ACCENTS = 500;

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
  private readonly accents = new LRUCache<string, PageAsset>({ max: MAX_ACCENTS });

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
    const asset = this.byPath.get(path);
    if (asset) return asset;
    const accent = `#${ACCENT_PATH.exec(path)?.[1] ?? ''}`;
    if (!isAccent(accent) || contrastOfAccent(accent) < MIN_CONTRAST) return null;
    const styles = this.accentOf(accent);
    return styles.path === path ? styles : null;
  }

  /** The path of an asset, for `href` or `src`. */
  href(name: AssetName): string {
    return this.byName.get(name)?.path ?? `${ASSET_ROUTE}/${name}`;
  }

  /** The path of the style sheet that gives a page its accent, for `href`. */
  accentHref(accent: string): string {
    return this.accentOf(accent).path;
  }

  private accentOf(accent: string): PageAsset {
    const known = this.accents.get(accent);
    if (known) return known;
    const made = this.describe(`accent-${accent.slice(1)}.css`, accentStyles(accent));
    this.accents.set(accent, made);
    return made;
  }

  private describe(name: string, source: string): PageAsset {
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
