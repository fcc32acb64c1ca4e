import { basename } from 'node:path';
import { type BuildResponse } from '@agate/client';

/** The name of a build's file on this machine: without folders and control characters, and never hidden. The uploader chose its name. */
export const localName = ({ file_name: name }: Pick<BuildResponse, 'file_name'>): string =>
  basename(name.replaceAll('\\', '/'))
    .replaceAll(/\p{Cc}/gu, '_')
    .replace(/^\.+/, '_') || 'artifact';
