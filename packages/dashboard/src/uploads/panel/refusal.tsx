import { ApiError, FileUnreadableError } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../session/use-may';
import { Button, buttonClass, Inline } from '../../ui';
import { useFormat } from '../../words/use-format';
import { type Words } from '../../words/words';
import { useWords } from '../../words/words-provider';
import { type UploadItem } from '../store/upload-item';
import s from './panel.module.css';

/** Explains why a file was rejected, and what to do. */
export function Refusal({ item }: { readonly item: UploadItem }) {
  const words = useWords();
  const format = useFormat();
  const { error } = item;
  const { title, remedy } = explanation(item, words.uploads, format);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={s.refusal}>
      <div role="alert">
        <p className={s.refusalTitle}>{title}</p>
        <p>{remedy}</p>
      </div>
      {requestId !== null && <p className={s.requestId}>{words.errors.requestId(requestId)}</p>}
      {error instanceof ApiError && error.status === 402 && (
        <MoreMoney isCap={error.code === 'spend_cap_exceeded'} organizationId={item.target.organizationId} />
      )}
    </div>
  );
}

interface MoreMoneyProps {
  readonly isCap: boolean;
  readonly organizationId: string;
}

function MoreMoney({ isCap, organizationId }: MoreMoneyProps) {
  const words = useWords().uploads;
  const may = useMay({ organizationId });
  const reason = may(
    isCap ? 'PATCH /organizations/{organization_id}/billing' : 'POST /organizations/{organization_id}/billing/top-ups',
  );
  const label = isCap ? words.raiseCap : words.addCredit;
  return (
    <Inline>
      {reason === undefined ? (
        <Link to="/o/$org/billing" params={{ org: organizationId }} className={buttonClass()}>
          {label}
        </Link>
      ) : (
        <Button disabledReason={reason}>{label}</Button>
      )}
    </Inline>
  );
}

type Format = ReturnType<typeof useFormat>;

interface Explanation {
  readonly title: string;
  readonly remedy: string;
}

function explanation(item: UploadItem, words: Words['uploads'], format: Format): Explanation {
  const { error } = item;
  if (error instanceof FileUnreadableError) return words.refusals.file_unreadable;
  if (!(error instanceof ApiError)) return words.refusals.unexpected;
  const known: Readonly<Record<string, Explanation>> = words.refusals;
  const fallback = error.status >= 500 ? words.refusals.internal_error : { title: error.message, remedy: '' };
  return detailed(item, error, words, format) ?? known[error.reason ?? ''] ?? known[error.code] ?? fallback;
}

/** The explanations that name sums, sizes or ids. */
function detailed({ file }: UploadItem, error: ApiError, words: Words['uploads'], format: Format): Explanation | null {
  const { details } = error;
  // A cost below a cent says more than "< $0.01" beside the sum that is lacking.
  const exact = Number(details['required_micro_usd']) < 10_000;
  const money = (name: string): string => format.money(Number(details[name] ?? 0), { exact });
  switch (error.reason ?? error.code) {
    case 'payload_too_large':
      return words.tooLarge(format.bytes(file.size), format.bytes(Number(details['max_bytes'])));
    case 'bundle_id_mismatch':
      return words.otherBundleId(String(details['bundle_id']), String(details['expected_bundle_id']));
    case 'prepaid_credit_exhausted':
      return words.noCredit(money('required_micro_usd'), money('available_micro_usd'));
    case 'spend_cap_exceeded':
      return words.capReached(money('required_micro_usd'), money('available_micro_usd'));
    default:
      return null;
  }
}
