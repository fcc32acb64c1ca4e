import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { type SessionOrganization, useOrganizations } from '../../queries/account/session';
import { type Branding, brandingQuery } from '../../queries/organization/branding';
import { useMay } from '../../session/use-may';
import { Card, Columns, DescriptionList, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './branding.module.css';
import { BrandingForm } from './branding-form';
import { PhonePreview, type ShownBranding } from './phone-preview';

/** What testers see of the organization, with a preview of what is typed. */
export function BrandingScreen() {
  const { branding: words, frame } = useWords();
  const { org } = useParams({ from: '/member/o/$org' });
  const organization = useOrganizations().find(({ id }) => id === org);
  const { data } = useQuery(brandingQuery(org));
  useTitle(words.heading, organization?.name);
  if (!organization) return null;
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        above={
          <Link to="/o/$org/settings" params={{ org }}>
            {frame.organizationSettings}
          </Link>
        }
        detail={words.detail}
      />
      {data ? <Editor key={org} organization={organization} branding={data} /> : <Skeleton />}
    </Stack>
  );
}

const shownOf = (branding: Branding): ShownBranding => ({
  displayName: branding.display_name ?? '',
  logo: branding.logo ?? '',
  contact: branding.contact ?? '',
  privacyUrl: branding.privacy_url ?? '',
  accent: branding.accent ?? '',
});

interface EditorProps {
  readonly organization: SessionOrganization;
  readonly branding: Branding;
}

function Editor({ organization: { id, name }, branding }: EditorProps) {
  const words = useWords().branding;
  const reason = useMay({ organizationId: id })('PUT /organizations/{organization_id}/branding');
  const [typed, setTyped] = useState<ShownBranding | null>(null);
  const shown = typed ?? shownOf(branding);
  const shownName = shown.displayName.trim() || name;
  return (
    <Columns>
      {reason === undefined ? (
        <Card title={words.heading}>
          <BrandingForm
            organizationId={id}
            organizationName={name}
            branding={shownOf(branding)}
            shown={shown}
            onTyped={setTyped}
          />
        </Card>
      ) : (
        <Card title={words.heading}>
          <Facts branding={branding} />
          <p className="soft">{reason}</p>
        </Card>
      )}
      <Card title={words.preview.heading}>
        <p className="soft">{words.preview.text}</p>
        <div className={styles.phones}>
          <PhonePreview theme="light" name={shownName} branding={shown} />
          <PhonePreview theme="dark" name={shownName} branding={shown} />
        </div>
      </Card>
    </Columns>
  );
}

function Facts({ branding }: { readonly branding: Branding }) {
  const words = useWords().branding;
  return (
    <DescriptionList
      items={[
        { label: words.displayName, value: branding.display_name },
        { label: words.contact, value: branding.contact },
        { label: words.privacyUrl, value: branding.privacy_url },
        { label: words.accent, value: branding.accent },
      ]}
    />
  );
}
