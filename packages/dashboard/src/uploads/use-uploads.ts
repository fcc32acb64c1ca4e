import { useParams } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useDeveloper } from '../queries/account/session';
import { useMay } from '../session/use-may';
import { useToast } from '../ui';
import { useWords } from '../words/words-provider';
import { chooseFiles, type ChosenFile, chosenFiles } from './browser/files';
import { type RoutedFiles, type UnfinishedItem, type UploadItem, type UploadTarget } from './store/upload-item';
import { uploads } from './uploads';

export interface Uploads {
  /** The uploads of this tab, the oldest first. */
  readonly items: readonly UploadItem[];
  /** The uploads that a reload has interrupted. */
  readonly unfinished: readonly UnfinishedItem[];
  /** The files that were dropped on a screen of no project, whose project must be chosen; null without any. */
  readonly routed: RoutedFiles | null;
  /** Opens the file chooser and uploads the chosen files. Call it in the handler of a click or a key. */
  readonly choose: () => void;
  /** Uploads files that were chosen or dropped on a part of the screen. */
  readonly add: (files: Iterable<File>) => void;
  /** Uploads files that were dropped anywhere. */
  readonly addDropped: (files: readonly ChosenFile[]) => void;
  /** The reason why nothing can be uploaded here: a missing role, or no current organization. Undefined when uploads are possible. */
  readonly disabledReason: string | undefined;
}

/** The uploads of the developer. New files go to the target; by default that is the project that is open. */
export function useUploads(target?: UploadTarget): Uploads {
  const words = useWords().uploads;
  const developer = useDeveloper();
  const toast = useToast();
  const open = useOpenProject();
  const { items, unfinished, routed } = useSyncExternalStore(uploads.subscribe, uploads.getSnapshot);
  const place = target ?? open;
  const may = useMay({ organizationId: place?.organizationId ?? '', projectId: place?.projectId });
  const { org } = useParams({ strict: false });
  const withoutProject = org === undefined ? words.openProjectFirst : undefined;
  const disabledReason = place ? may('POST /builds/uploads') : withoutProject;
  const addDropped = (files: readonly ChosenFile[]): void => {
    if (files.length === 0) return;
    if (place && disabledReason === undefined) uploads.add(files, place, developer.id);
    else if (!place && org !== undefined) uploads.route({ organizationId: org, files });
    else toast(disabledReason ?? words.openProjectFirst, { tone: 'problem' });
  };
  return {
    items: items.filter(({ developerId }) => developerId === developer.id),
    unfinished,
    routed,
    choose: () => void chooseFiles().then(addDropped),
    add: (files) => addDropped(chosenFiles(files)),
    addDropped,
    disabledReason,
  };
}

/** The project in the address; null on screens of no project. */
function useOpenProject(): UploadTarget | null {
  const { org, project } = useParams({ strict: false });
  return org !== undefined && project !== undefined ? { organizationId: org, projectId: project } : null;
}
