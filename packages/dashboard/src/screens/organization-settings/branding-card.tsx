import { Link } from '@tanstack/react-router';
import { buttonClass, Card } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The way from the settings to the branding. */
export function BrandingCard({ organizationId: org }: { readonly organizationId: string }) {
  const words = useWords().settings.branding;
  return (
    <Card
      level={3}
      title={words.heading}
      actions={
        <Link to="/o/$org/settings/branding" params={{ org }} className={buttonClass('quiet')}>
          {words.open}
        </Link>
      }
    >
      <p>{words.text}</p>
    </Card>
  );
}
