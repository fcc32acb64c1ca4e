import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler, type Router } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { programVersion } from '#infra/lifecycle/program-version';
import { limitedOn } from '../limited-handlers';
import { encodingFor, readStoredFiles, sendStored, type StoredFile } from '../stored-files';

/** The directory into which the build puts the command line, seen from the built service and from its sources. */
const PLACES = ['../../../cli', '../../../dist/cli'].map((place) => join(__dirname, place));

/** The directory of the built command line. It does not exist when the command line was not built. */
export const builtCommandLine = (): string => PLACES.find(existsSync) ?? PLACES[0]!;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.tgz': 'application/gzip',
  '': 'text/plain; charset=utf-8',
};

interface ServedFile extends StoredFile {
  readonly headers: Readonly<Record<string, string>>;
  /** The hash of the content. */
  readonly tag: string;
}

/** The address of the npm package of the command line. It contains the version, because npx keeps a package by its address. */
export const packageAddress = (baseUrl: string): string => `${baseUrl}/cli/agate-${programVersion()}.tgz`;

const PACKAGE = /^agate-(\d+)\.[\w.+-]+\.tgz$/;

/** The major version in the name of a package. Undefined for other names. */
const majorOf = (name: string): string | undefined => PACKAGE.exec(name)?.[1];

/** Serves the command line and its checksums below `/cli`, from memory, to everyone. */
export function serveCommandLine(app: NestExpressApplication, router: Router, directory: string): void {
  if (app.get(RuntimeConfig).role === 'worker') return;
  const files = readFiles(directory);
  const handler = serveFile(files, app.get(HttpConfig).baseUrl);
  router.get('/cli/:name', limitedOn(app, 'CommandLine')('page', handler));
}

const readFiles = (directory: string): ReadonlyMap<string, ServedFile> =>
  new Map(
    existsSync(directory)
      ? [...readStoredFiles(directory)].map(([name, file]) => [name, servedFile(name, file)] as const)
      : [],
  );

function servedFile(name: string, file: StoredFile): ServedFile {
  const extension = extname(name);
  const headers = {
    'Content-Type': CONTENT_TYPES[extension] ?? 'application/octet-stream',
    // An upgrade of the service changes the content of every address.
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept-Encoding',
  };
  return { ...file, headers, tag: createHash('sha256').update(file.identity).digest('base64url') };
}

const serveFile =
  (files: ReadonlyMap<string, ServedFile>, baseUrl: string): RequestHandler<{ name: string }> =>
  (request, response) => {
    const { name } = request.params;
    const file = files.get(name) ?? samePackage(files, name);
    if (!file) {
      // npm shows this header. Of an error response it shows the code, but not the message.
      if (PACKAGE.test(name)) response.set('npm-notice', messageOf(files, baseUrl));
      throw new AppError('not_found', { message: messageOf(files, baseUrl) });
    }
    const encoding = encodingFor(request, file);
    // Each form has a tag of its own, as RFC 9110 requires of strong tags.
    response.set({ ...file.headers, ETag: `"${file.tag}${encoding ? `-${encoding}` : ''}"` });
    if (request.fresh) response.status(304).end();
    else sendStored(response, file, encoding);
  };

/**
 * The present package, for the address of another version with the same major number: repositories pin an address, which must work after
 * an upgrade of the service.
 */
const samePackage = (files: ReadonlyMap<string, ServedFile>, name: string): ServedFile | undefined => {
  const major = majorOf(name);
  return major === undefined ? undefined : [...files].find(([each]) => majorOf(each) === major)?.[1];
};

/** The message of the 404 response. */
const messageOf = (files: ReadonlyMap<string, ServedFile>, baseUrl: string): string =>
  files.size === 0
    ? 'The command line was not built. An operator can build it: npm run build'
    : `There is no such file. The command line of this service: ${packageAddress(baseUrl)}`;
