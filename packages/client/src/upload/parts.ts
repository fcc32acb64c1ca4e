import { type Platform, type ResumableUploadResponse } from '../generated';

type Parts = Pick<ResumableUploadResponse, 'parts' | 'part_size_bytes' | 'size_bytes'>;

/** The properties that identify a file without reading it. */
export interface FileFacts {
  readonly name: string;
  readonly size: number;
  /** When the file was changed, in milliseconds since 1970. */
  readonly modified: number;
}

/** The range of a part in the file: from `start` up to, and not including, `end`. */
export interface PartRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The parts that the service does not have, in the order of their numbers. */
export const missingParts = (upload: Parts): PartRange[] =>
  upload.parts.filter(({ arrived }) => !arrived).map(({ part_number: number }) => rangeOf(upload, number));

/** The range of the part with this number. Numbers count from 1. */
export function rangeOf(upload: Parts, number: number): PartRange {
  const start = (number - 1) * upload.part_size_bytes;
  return { number, start, end: Math.min(start + upload.part_size_bytes, upload.size_bytes) };
}

/** The number of bytes that the service has. */
export const arrivedBytes = ({ parts }: Pick<Parts, 'parts'>): number =>
  parts.reduce((sum, { arrived, size_bytes: bytes }) => sum + (arrived ? bytes : 0), 0);

/** Whether a file is the one with which an upload began: all parts must come from the same file. */
export const isSameFile = (begun: FileFacts, chosen: FileFacts): boolean =>
  begun.name === chosen.name && begun.size === chosen.size && begun.modified === chosen.modified;

const DESCRIBES_ITSELF = /\.(ipa|apk|aab)$/i;

/** The platform of a file that tells it by its name; undefined for other files. */
export function platformInName(fileName: string): Platform | undefined {
  const [, extension] = DESCRIBES_ITSELF.exec(fileName) ?? [];
  if (extension === undefined) return undefined;
  return extension.toLowerCase() === 'ipa' ? 'ios' : 'android';
}

/** Whether the service reads version and platform from a file with this name. For other files the uploader supplies them. */
export const describesItself = (fileName: string): boolean => DESCRIBES_ITSELF.test(fileName);
