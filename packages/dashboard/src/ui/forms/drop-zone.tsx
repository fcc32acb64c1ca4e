import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../actions/button';
import { classNames } from '../class-names';
import { Icon } from '../icons';
import s from './forms.module.css';

export interface DropZoneProps {
  /** The accepted files, for example "Drop an .ipa, .apk or .aab here". */
  readonly label: string;
  readonly buttonLabel: string;
  /** The name of the hidden field. Default: `buttonLabel`. */
  readonly fieldLabel?: string;
  /** As the `accept` attribute; a drop is not filtered. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: File[]) => void;
  readonly disabledReason?: string;
  readonly children?: ReactNode;
}

/** A place to drop files on, with a button that opens the file chooser. */
export function DropZone(props: DropZoneProps) {
  const { label, buttonLabel, fieldLabel = buttonLabel, accept, multiple, onFiles, disabledReason, children } = props;
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (disabledReason === undefined && files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <div
      className={classNames(s.drop, over && s.dropOver)}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(disabledReason === undefined);
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" className={s.dropIcon} />
      <p className={s.dropLabel}>{label}</p>
      <Button disabledReason={disabledReason} onClick={() => input.current?.click()}>
        {buttonLabel}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={fieldLabel}
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      {children}
    </div>
  );
}
