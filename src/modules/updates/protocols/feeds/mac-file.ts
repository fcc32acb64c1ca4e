import { AppError } from '#kernel/errors/app-error';
import { type FeedBuild } from './feed-build';

/**
 * The build with the file that the updaters of Electron install on macOS: a .zip of the app. electron-updater and Squirrel.Mac stop with an
 * error at any other file.
 * @throws AppError not_found when the build has no such file.
 */
export function fileForMac(build: FeedBuild): FeedBuild {
  if (build.fileName.toLowerCase().endsWith('.zip')) return build;
  throw new AppError('not_found', {
    message: `The updaters of Electron install only a .zip of the app on macOS, and the build is ${build.fileName}. Upload the .zip that electron-builder makes beside it.`,
  });
}
