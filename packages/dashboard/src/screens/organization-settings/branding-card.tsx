import { Link } from '@tanstack/react-router';
import { buttonClass, Card } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The way from the settings to the branding. */
export function BrandingCard({ organizationId: org }: { readonly organizationId: string }) {
  const words = useWords().settings.branding;
  return (
    <Card title={words.heading}>
      <p>{words.text}</p>
      <div>
        <Link to="/o/$org/settings/branding" params={{ org }} className={buttonClass('secondary')}>
          {words.open}
        </Link>
      </div>
    </Card>
  );
}
