import { DropZone } from '../ui';
import { useWords } from '../words/words-provider';
import { type UploadTarget } from './store/upload-item';
import { useUploads } from './use-uploads';

/** A place to drop the files of builds on. They go to the target; by default that is the project that is open. */
export function UploadDropZone({ target }: { readonly target?: UploadTarget }) {
  const words = useWords().uploads;
  const { add, disabledReason } = useUploads(target);
  return (
    <DropZone
      multiple
      label={words.dropZone}
      buttonLabel={words.chooseFile}
      disabledReason={disabledReason}
      onFiles={add}
    />
  );
}
