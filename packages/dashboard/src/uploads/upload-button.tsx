import { Button, type ButtonVariant } from '../ui';
import { useWords } from '../words/words-provider';
import { useUploads } from './use-uploads';

/** Opens the file chooser and uploads the chosen files to the current project. */
export function UploadButton({ variant = 'primary' }: { readonly variant?: ButtonVariant }) {
  const { choose, disabledReason } = useUploads();
  return (
    <Button variant={variant} icon="upload" disabledReason={disabledReason} onClick={choose}>
      {useWords().frame.uploadBuild}
    </Button>
  );
}
