import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteAccount, lastAdminQuery } from '../../../queries/account/account';
import { useDeveloper, useOrganizations } from '../../../queries/account/session';
import { useLeave } from '../../../session/use-leave';
import { Button, Card, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../account.module.css';
import { PasswordDialog } from '../password-dialog';
import { useUnverified } from '../use-unverified';

/** Deletes the account, unless an organization would be left without an ADMIN. */
export function DeleteAccountCard() {
  const words = useWords().account.data.delete;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title={words.title} tone="problem">
      <p>{words.text}</p>
      <div>
        <Button variant="danger" icon="trash" disabledReason={useUnverified()} onClick={() => setIsOpen(true)}>
          {words.button}
        </Button>
      </div>
      {isOpen && <DeleteDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const words = useWords().account.data.delete;
  const { id } = useDeveloper();
  const { data: organizations = [] } = useQuery(lastAdminQuery(id, useOrganizations()));
  const leave = useLeave();
  const toast = useToast();
  const deletion = useMutation({
    mutationFn: deleteAccount,
    onSuccess: async () => {
      toast(words.done, { tone: 'success' });
      await leave();
    },
  });
  return (
    <PasswordDialog
      title={words.button}
      submitLabel={words.button}
      variant="danger"
      busy={deletion.isPending}
      error={deletion.error}
      disabledReason={organizations.length > 0 ? words.lastAdminReason : undefined}
      onPassword={(password) => deletion.mutate(password)}
      onClose={onClose}
    >
      <p>{words.text}</p>
      {organizations.length > 0 && (
        <div role="alert">
          <p>{words.lastAdmin}</p>
          <ul className={styles.organizations}>
            {organizations.map(({ id: org, name }) => (
              <li key={org}>
                <Link to="/o/$org/members" params={{ org }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </PasswordDialog>
  );
}
