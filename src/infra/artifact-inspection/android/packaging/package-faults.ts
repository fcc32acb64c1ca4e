import { type ArtifactSource } from '../../artifact-source';
import { dataOffset } from '../../formats/zip/entry-start';
import { type ZipArchive } from '../../formats/zip/zip-archive';
import { type AndroidFault } from '../../inspected-artifact';
import { type AndroidManifest } from '../manifest/manifest';
import { libraryFaults } from './native-libraries';

const STORED = 0;
/** The alignment with which devices map the resource table into memory. */
const TABLE_ALIGNMENT = 4;

/**
 * The properties of a package for which some devices refuse it, whatever Android version it is for.
 * @param source the whole file.
 * @param extracted whether devices unpack the native libraries.
 */
export async function packageFaults(
  zip: ZipArchive,
  source: ArtifactSource,
  { requiresSplits, unexportedComponent, previewName }: AndroidManifest,
  extracted: boolean,
): Promise<AndroidFault[]> {
  return [
    ...(requiresSplits ? [{ code: 'splits_missing', subject: null } as const] : []),
    ...(await tableFaults(zip)),
    ...(await libraryFaults(zip, source, extracted)),
    ...(unexportedComponent === null ? [] : [{ code: 'exported_missing', subject: unexportedComponent } as const]),
    ...(previewName === null ? [] : [{ code: 'preview_sdk', subject: previewName } as const]),
  ];
}

async function tableFaults(zip: ZipArchive): Promise<AndroidFault[]> {
  const entry = zip.find('resources.arsc');
  if (!entry) return [];
  if (entry.method !== STORED) return [{ code: 'resources_compressed', subject: null }];
  const offset = await dataOffset({ read: (...range) => zip.readRaw(...range) }, entry);
  return offset % TABLE_ALIGNMENT === 0 ? [] : [{ code: 'resources_unaligned', subject: null }];
}
