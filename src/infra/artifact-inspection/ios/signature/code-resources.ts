import { createHash } from 'node:crypto';
import { readPlist } from '../../formats/plist/plist';
import { dictAt, isDict, type PlistDict, type PlistValue } from '../../formats/plist/plist-value';
import { type ZipEntry } from '../../formats/zip/zip-archive';
import { WorkBudget } from '../../limits/work-budget';

/** The rules of Apple's signer. Under others, files that are not sealed may be allowed. */
const APPLES_RULES: readonly string[] = [
  '^.*',
  '.*\\.dSYM($|/)',
  '^(.*/)?\\.DS_Store$',
  '^.*\\.lproj/',
  '^.*\\.lproj/locversion.plist$',
  '^Base\\.lproj/',
  '^Info\\.plist$',
  '^PkgInfo$',
  '^embedded\\.provisionprofile$',
  '^version\\.plist$',
];
/** The files of an app that Apple's signer does not seal in its resources. */
const UNSEALED =
  /^(?:Info\.plist|PkgInfo|CodeResources|(?:_CodeSignature|SC_Info|_MASReceipt)\/.*)$|(?:^|\/)\.DS_Store$|\.lproj\/locversion\.plist$|\.dSYM(?:$|\/)/;

/** The difference between the files of an app and its signed list of resources. Paths are relative to the app. */
export interface ResourceDifference {
  /** The first file whose content is not the sealed one. */
  readonly changed: string | null;
  /** The first file that is sealed and not in the archive. */
  readonly missing: string | null;
  /** The first file of the archive that is not sealed. */
  readonly added: string | null;
}

interface Seal {
  readonly isOptional: boolean;
  readonly sha256: Buffer | null;
  readonly sha1: Buffer | null;
}

/**
 * Compares `_CodeSignature/CodeResources` with the names of all files of the app, and with the contents of those that are known. Throws when
 * it cannot be read.
 * @param folder of the app in the archive, with its slash.
 * @param executable the path of the main executable, which is sealed by its own signature.
 * @param contents by path: files that the inspection has read.
 */
export function compareResources(
  codeResources: Buffer,
  { entries, folder, executable }: { entries: readonly ZipEntry[]; folder: string; executable: string },
  contents: ReadonlyMap<string, Buffer>,
): ResourceDifference {
  const plist = readPlist(codeResources, new WorkBudget());
  const seals = sealsOf(plist);
  const files = new Set(
    entries
      .filter(({ name }) => name.startsWith(folder) && !name.endsWith('/'))
      .map(({ name }) => normalized(Buffer.from(name.slice(folder.length), 'latin1').toString('utf8'))),
  );
  return {
    changed: [...contents].find(([path, content]) => isChanged(seals.get(normalized(path)), content))?.[0] ?? null,
    missing: [...seals].find(([path, { isOptional }]) => !isOptional && !files.has(path))?.[0] ?? null,
    added: hasApplesRules(plist)
      ? ([...files].find((path) => !seals.has(path) && path !== executable && !UNSEALED.test(path)) ?? null)
      : null,
  };
}

/** Names are decomposed on the file system of a Mac, and may be composed in an archive. */
const normalized = (path: string): string => path.normalize('NFC');

/** The newer list `files2`, else the older `files`. */
function sealsOf(plist: PlistDict): ReadonlyMap<string, Seal> {
  const list = dictAt(plist, 'files2') ?? dictAt(plist, 'files') ?? new Map<string, PlistValue>();
  return new Map([...list].map(([path, value]) => [normalized(path), sealOf(value)]));
}

/** A SHA-1 hash, or a dictionary of hashes. Links have no hash, and nested code is a folder with a hash of its own. */
function sealOf(value: PlistValue): Seal {
  const bytes = (each: PlistValue | undefined): Buffer | null => (Buffer.isBuffer(each) ? each : null);
  if (!isDict(value)) return { isOptional: false, sha1: bytes(value), sha256: null };
  return {
    isOptional: value.get('optional') === true || value.has('cdhash'),
    sha1: bytes(value.get('hash')),
    sha256: bytes(value.get('hash2')),
  };
}

function isChanged(seal: Seal | undefined, content: Buffer): boolean {
  const digest = (name: string): Buffer => createHash(name).update(content).digest();
  if (seal?.sha256) return !digest('sha256').equals(seal.sha256);
  return seal?.sha1 ? !digest('sha1').equals(seal.sha1) : false;
}

function hasApplesRules(plist: PlistDict): boolean {
  const rules = dictAt(plist, 'rules2');
  return rules?.get('^.*') === true && [...rules.keys()].every((rule) => APPLES_RULES.includes(rule));
}
