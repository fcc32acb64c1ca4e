import { type ZipEntry } from '../../formats/zip/zip-archive';
import { LIMITS } from '../../limits/limits';

/** Code inside an app that has a signature of its own. */
export interface NestedBundle {
  /** Relative to the app, as in `PlugIns/Share.appex`, in the form of {@link ZipEntry.name}. */
  readonly path: string;
  /** A program has a profile and an identifier of its own; a framework or library belongs to the program. */
  readonly kind: 'program' | 'service' | 'framework' | 'library';
}

const BUNDLE =
  /(?:^|\/)(?:PlugIns|Extensions|Watch|AppClips|XPCServices|Frameworks)\/[^/]+\.(appex|app|xpc|framework)$/;
const LIBRARY = /(?:^|\/)Frameworks\/[^/]+\.dylib$/;
const INFO = '/Info.plist';
const KINDS: Readonly<Record<string, NestedBundle['kind']>> = {
  appex: 'program',
  app: 'program',
  xpc: 'service',
  framework: 'framework',
};
const ORDER: readonly NestedBundle['kind'][] = ['program', 'service', 'framework', 'library'];

/**
 * The bundles and libraries inside an app: programs first, because each of them can have a profile of its own. At most as many as are
 * checked.
 * @param folder of the app in the archive, with its slash.
 */
export function nestedBundles(entries: readonly ZipEntry[], folder: string): readonly NestedBundle[] {
  const found = entries.flatMap(({ name }) => {
    if (!name.startsWith(folder)) return [];
    const path = name.slice(folder.length);
    if (LIBRARY.test(path)) return [{ path, kind: 'library' as const }];
    const bundle = path.endsWith(INFO) ? path.slice(0, -INFO.length) : '';
    const kind = KINDS[BUNDLE.exec(bundle)?.[1] ?? ''];
    return kind ? [{ path: bundle, kind }] : [];
  });
  return found.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)).slice(0, LIMITS.nestedBundles);
}
