import { type FileFacts } from '@agate/client';

/** A file that was chosen or dropped. */
export interface ChosenFile {
  readonly file: File;
  /** Opens the file again after a reload. Only Chromium provides one, for dropped files on https pages and on localhost. */
  readonly handle: Promise<FileSystemFileHandle | null>;
  /** A folder has no bytes to send. */
  readonly isFolder: boolean;
}

export const factsOf = ({ name, size, lastModified: modified }: File): FileFacts => ({ name, size, modified });

const plain = (file: File): ChosenFile => ({ file, handle: Promise.resolve(null), isFolder: false });

export const chosenFiles = (files: Iterable<File>): ChosenFile[] => Array.from(files, plain);

/** Opens the file chooser. Resolves with no file when it is cancelled. Call it in the handler of a click or a key. */
export function chooseFiles({ multiple = true } = {}): Promise<ChosenFile[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = multiple;
  input.hidden = true;
  // Some browsers open no file chooser for an input outside of the document.
  document.body.append(input);
  return new Promise<ChosenFile[]>((resolve) => {
    input.onchange = () => resolve(chosenFiles(input.files ?? []));
    input.oncancel = () => resolve([]);
    input.click();
  }).finally(() => input.remove());
}

interface HandleSource {
  readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/** The dropped files. Call it in the handler of the drop: the browser empties the list afterwards. */
export function droppedFiles({ items, files }: DataTransfer): ChosenFile[] {
  const dropped = [...items].filter(({ kind }) => kind === 'file').flatMap((item) => fileOf(item) ?? []);
  return dropped.length > 0 ? dropped : chosenFiles(files);
}

function fileOf(item: DataTransferItem): ChosenFile | null {
  const isFolder = item.webkitGetAsEntry()?.isDirectory ?? false;
  const handle = (item as HandleSource).getAsFileSystemHandle?.() ?? Promise.resolve(null);
  const file = item.getAsFile();
  if (!file) return null;
  const fileHandle = handle.then(
    (found) => (found?.kind === 'file' ? (found as FileSystemFileHandle) : null),
    () => null,
  );
  return { file, handle: fileHandle, isFolder };
}

interface Permitted extends FileSystemFileHandle {
  readonly requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
}

/**
 * The file behind a handle; null when the reader denies access or the file no longer exists. Call it in the handler of a click or a key.
 */
export async function fileBehind(handle: FileSystemFileHandle): Promise<File | null> {
  try {
    const state = await (handle as Permitted).requestPermission?.({ mode: 'read' });
    return state === 'denied' ? null : await handle.getFile();
  } catch {
    return null;
  }
}
