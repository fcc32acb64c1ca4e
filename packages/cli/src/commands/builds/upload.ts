import { resolve } from 'node:path';
import {
  ATTACHMENT_KINDS,
  type AttachmentKind,
  describesItself,
  type Platform,
  PLATFORMS,
  type UploadFields,
} from '@agate/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findChannels } from '../../builds/channels';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { addNextStepOptions, NextStep, type NextStepOptions } from '../../ci/next-step';
import { type Context } from '../../context';
import { severalValues, wholeNumber } from '../../option-values';
import { usageError } from '../../output/cli-error';
import { openAddress } from '../../terminal/open-address';
import { showQr } from '../../terminal/qr';
import { attachFiles } from '../../upload/attach-files';
import { electronBuildIn } from '../../upload/electron-build';
import { type FileUploadOptions } from '../../upload/file-upload';
import { findFiles } from '../../upload/find-files';
import { commitsOf, type CommitsOptions } from '../../upload/git-commits';
import { notesFromGit } from '../../upload/git-notes';
import { type LocalFile } from '../../upload/local-file';
import { notesOf, type NotesOptions } from '../../upload/notes';
import { sourceOf, type SourceOptions } from '../../upload/source';
import { type SigningOptions, withUniversalApks } from '../../upload/universal-apk';
import {
  checkRequirements,
  type RequirementOptions,
  uploadBuild,
  type UploadBuildOptions,
  type UploadResult,
} from '../../upload/upload-build';

const MAX_PARALLEL = 16;
const DEFAULT_PARALLEL = 4;

interface Options
  extends NotesOptions, SourceOptions, CommitsOptions, RequirementOptions, NextStepOptions, SigningOptions {
  readonly universalApk?: boolean;
  readonly with?: readonly string[];
  readonly attach?: string;
  readonly kind?: AttachmentKind;
  readonly channel?: readonly string[];
  readonly silent?: boolean;
  readonly version?: string;
  readonly buildNumber?: string;
  readonly platform?: Platform;
  readonly parallel?: number;
  readonly new?: boolean;
  readonly drop?: boolean;
  readonly open?: boolean;
  readonly qr?: boolean;
}

export const uploadCommand = (context: Context): Command =>
  addNextStepOptions(
    new Command('upload')
      .description('upload builds, promote them and print their install links')
      .argument('<file...>', 'files, or folders: the files in their output-metadata.json, else their newest build')
      .option('--notes <text>', 'what to test')
      .addOption(
        new Option('--notes-file <file>', 'read the notes from a file; - is standard input').conflicts('notes'),
      )
      .addOption(
        new Option('--notes-from-git', 'list the commits since the last build of the branch').conflicts([
          'notes',
          'notesFile',
        ]),
      )
      .addOption(new Option('--channel <name>', 'promote to this channel; can be repeated').argParser(severalValues))
      .option('--silent', 'send no mails about the releases')
      .option('--version <version>', 'version of files that do not contain one')
      .option('--build-number <number>', 'number that distinguishes builds of one version')
      .addOption(new Option('--platform <platform>', 'platform of files that do not contain one').choices(PLATFORMS))
      .addOption(
        new Option(
          '--with <file>',
          'add this file to the build before it is promoted, for example the .zip beside a .dmg; can be repeated',
        ).argParser((path: string, before: readonly string[] = []) => [...before, path]),
      )
      .addOption(
        new Option(
          '--attach <build>',
          `add the files to this build instead of making one: ${BUILD_ARGUMENT}`,
        ).conflicts(['with', 'channel', 'universalApk']),
      )
      .addOption(
        new Option(
          '--kind <kind>',
          'with --with or --attach: what the files are for; default: as their names say',
        ).choices(ATTACHMENT_KINDS),
      )
      .option('--branch <name>', 'branch of the source code; default: as the CI or git says')
      .option('--commit <hash>', 'commit of the source code; default: as the CI or git says')
      .option('--no-commits', 'send no list of the commits since the last build of the branch and platform')
      .option('--ci-url <address>', 'page of the CI job; default: as the CI says')
      .option('--no-ci-metadata', 'send no branch, commit and page of the job, unless an option gives them')
      .addOption(new Option('--parallel <number>', 'concurrent parts').argParser(wholeNumber(1, MAX_PARALLEL)))
      .option('--expect-installable', 'fail when devices cannot install the build')
      .addOption(
        new Option('--fail-on-warning [codes]', 'fail when the build has warnings, or one of these').argParser(
          warningCodes,
        ),
      )
      .option('--new', 'make another build of a file that was uploaded before')
      .option('--drop', 'when interrupted, keep nothing at the service')
      .option('--universal-apk', 'upload an APK that bundletool makes of each .aab; BUNDLETOOL is its jar or command')
      .option('--ks <file>', 'with --universal-apk: keystore')
      .option('--ks-pass <password>', 'with --universal-apk: its password, as pass:… or better file:…')
      .option('--ks-key-alias <alias>', 'with --universal-apk: key in the keystore')
      .option('--key-pass <password>', 'with --universal-apk: password of the key, as pass:… or file:…')
      .option('--qr', 'show a QR code of the install link on standard error')
      .option('--open', 'open the install page in the browser'),
  ).action((paths: readonly string[], options: Options) => upload(context, paths, options));

async function upload(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const [folder = ''] = paths;
  const electron = paths.length === 1 ? electronBuildIn(resolve(context.process.cwd, folder), options.platform) : null;
  if (electron) {
    const others = { version: electron.version, ...options, with: [...electron.others, ...(options.with ?? [])] };
    return upload(context, [electron.artifact], others);
  }
  const files = findFiles(paths, context.process.cwd);
  if (options.attach !== undefined) return attach(context, options.attach, files, options);
  if (options.with && files.length > 1) throw usageError('--with adds files to one build. Upload one file with it.');
  const work = (ready: readonly LocalFile[]): Promise<void> => uploadFiles(context, ready, options);
  return options.universalApk ? withUniversalApks(context, files, options, work) : work(files);
}

async function uploadFiles(context: Context, files: readonly LocalFile[], options: Options): Promise<void> {
  requireFacts(files, options);
  const nextStep = new NextStep(context, options);
  nextStep.prepare();
  const how = await howOf(context, options);
  const results: UploadResult[] = [];
  for (const file of files) {
    const fields = { ...how.fields, ...(await commitsOf(context, file.name, how.fields, options)) };
    results.push(await uploadBuild(context, file, { ...how, fields }));
  }
  const json = results.map((result) => result.json);
  const links = json.map(({ install_url: link }) => link ?? '');
  context.output.print(files.length === 1 ? json[0] : json, links.join('\n'));
  nextStep.publish(json);
  await showLinks(context, links, options);
  checkRequirements(results, options);
}

async function attach(context: Context, given: string, files: readonly LocalFile[], options: Options): Promise<void> {
  const { id } = await findBuild(context, given);
  const attachments = await attachFiles(context, id, files, {
    ...(await sendingOf(context, options)),
    kind: options.kind,
  });
  const names = files.map(({ name }) => name);
  const added = attachments.filter(({ file_name: name }) => names.includes(name));
  context.output.print(added, added.map((attachment) => attachment.id).join('\n'));
}

async function sendingOf(context: Context, options: Options): Promise<FileUploadOptions> {
  const settings = await context.settings();
  return {
    parallel: options.parallel ?? settings.parallel ?? DEFAULT_PARALLEL,
    isNew: options.new ?? false,
    drops: options.drop ?? false,
  };
}

async function howOf(context: Context, options: Options): Promise<UploadBuildOptions> {
  const settings = await context.settings();
  return {
    channels: await findChannels(context, options.channel ?? settings.channels),
    fields: await fieldsOf(context, options),
    silent: options.silent ?? false,
    attachments: findFiles(options.with ?? [], context.process.cwd),
    kind: options.kind,
    ...(await sendingOf(context, options)),
  };
}

async function showLinks(context: Context, links: readonly string[], { qr, open }: Options): Promise<void> {
  for (const link of links) if (qr) showQr(context, link);
  if (open && !(await openAddress(links[0] ?? ''))) context.output.warn('No browser could be opened.');
}

async function fieldsOf(context: Context, options: Options): Promise<UploadFields> {
  const { version, buildNumber, platform } = options;
  const source = sourceOf(context, options);
  const notes = await notesOf(context, options, () => notesFromGit(context, source.branch));
  return {
    ...source,
    ...(notes !== undefined && { notes }),
    ...(version !== undefined && { version }),
    ...(buildNumber !== undefined && { build_number: buildNumber }),
    ...(platform !== undefined && { platform }),
  };
}

/** @throws CliError when a file needs facts that no option supplies. */
function requireFacts(files: readonly LocalFile[], { version, platform }: Options): void {
  const silent = files.find(({ name }) => !describesItself(name));
  if (silent && (version === undefined || platform === undefined)) {
    throw usageError(`${silent.name} contains no version and platform. Use --version and --platform.`);
  }
}

/** A variable can only switch the option on by a value. */
const SWITCHED_ON = ['true', '1', 'yes', 'on'];

/** The codes that count; true for all. The value of an option with an optional value must not be the file that follows it. */
function warningCodes(text: string): true | string[] {
  if (SWITCHED_ON.includes(text.trim().toLowerCase())) return true;
  const codes = severalValues(text);
  const wrong = codes.find((code) => !/^[a-z0-9_]+$/.test(code));
  if (wrong === undefined) return codes;
  throw new InvalidArgumentError(`"${wrong}" is not the code of a warning. Write the files before this option.`);
}
