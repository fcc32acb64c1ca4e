import { type ReactNode, useState } from 'react';
import { Button, Card } from '../../ui';
import { useUnverified } from './use-unverified';

interface ChangeCardProps {
  readonly title: string;
  /** The label of the button that opens the dialog. */
  readonly change: string;
  readonly dialog: (close: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** A card whose button opens a dialog. Developers must have verified their address to open it. */
export function ChangeCard({ title, change, dialog, children }: ChangeCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title={title}
      actions={
        <Button disabledReason={useUnverified()} onClick={() => setIsOpen(true)}>
          {change}
        </Button>
      }
    >
      <p>{children}</p>
      {isOpen && dialog(() => setIsOpen(false))}
    </Card>
  );
}
