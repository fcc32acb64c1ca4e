import { close, open } from 'node:fs';
import { promisify } from 'node:util';

const opened = promisify(open);

/** A file that is open for reading. Call `close` once. */
export interface OpenFile {
  readonly descriptor: number;
  readonly close: () => void;
}

interface SharedFile {
  readonly descriptor: Promise<number>;
  readers: number;
}

/**
 * Opens files for reading. Readers of a file at the same time share one descriptor: each `open` and `close` wakes another thread, which
 * takes a quarter of the CPU of sending a range of 1 MB. A file is closed with its last reader, so none is kept.
 */
export class SharedFiles {
  private readonly files = new Map<string, SharedFile>();

  async open(path: string): Promise<OpenFile> {
    const file = this.files.get(path) ?? this.add(path);
    file.readers += 1;
    try {
      const descriptor = await file.descriptor;
      return { descriptor, close: () => this.close(path, file, descriptor) };
    } catch (error) {
      this.remove(path, file);
      throw error;
    }
  }

  /** Must be called when a file is deleted: later readers do not find it, although others are still reading it. */
  forget(path: string): void {
    this.files.delete(path);
  }

  private add(path: string): SharedFile {
    const file = { descriptor: opened(path, 'r'), readers: 0 };
    this.files.set(path, file);
    return file;
  }

  private close(path: string, file: SharedFile, descriptor: number): void {
    file.readers -= 1;
    if (file.readers > 0) return;
    this.remove(path, file);
    close(descriptor, () => undefined);
  }

  /** Does nothing when the path has been opened again since it was forgotten. */
  private remove(path: string, file: SharedFile): void {
    if (this.files.get(path) === file) this.files.delete(path);
  }
}
