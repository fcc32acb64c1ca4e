import { type RetentionGroup } from '@agate/client';
import { IconButton, Select, TextField } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { type DraftRule, MAX_DAYS, MAX_KEPT, ruleOf } from './draft';
import styles from './retention.module.css';
import { useRuleSentence } from './use-rule-sentence';

interface RuleFieldsProps {
  readonly rule: DraftRule;
  /** The place of the rule, beginning with 1. */
  readonly number: number;
  readonly onChange: (rule: DraftRule) => void;
  /** Absent for the only rule. */
  readonly onRemove: (() => void) | undefined;
}

/** A rule as a sentence with blanks, and below it what it says. */
export function RuleFields({ rule, number, onChange, onRemove }: RuleFieldsProps) {
  const words = useWords().retention;
  const format = useFormat();
  const sentence = useRuleSentence();
  const complete = ruleOf(rule);
  const name = (field: string): string => `rules.${rule.id}.${field}`;
  const heading = words.rule(format.number(number));
  return (
    <li>
      <section className={styles.rule} aria-label={heading}>
        <div className={styles.head}>
          <h3>{heading}</h3>
          {onRemove && <IconButton icon="trash" label={words.removeRule(format.number(number))} onClick={onRemove} />}
        </div>
        <div className={styles.line}>
          <Count
            words={words.newest}
            name={name('keep_last')}
            max={MAX_KEPT}
            value={rule.keepLast}
            onChange={(keepLast) => onChange({ ...rule, keepLast })}
          />
          <Select
            hideLabel
            label={words.per.label}
            value={rule.per}
            onChange={(event) => onChange({ ...rule, per: event.target.value as RetentionGroup })}
            options={(['project', 'platform', 'branch'] as const).map((value) => ({
              value,
              label: words.per.options[value],
            }))}
          />
        </div>
        <div className={styles.line}>
          <Count
            words={words.days}
            name={name('keep_days')}
            max={MAX_DAYS}
            value={rule.keepDays}
            onChange={(keepDays) => onChange({ ...rule, keepDays })}
          />
        </div>
        <Branches rule={rule} name={name('branches')} onChange={onChange} />
        <p className={styles.sentence}>
          {complete ? `${sentence(complete)} ${words.allOthers}` : <span className="soft">{words.incomplete}</span>}
        </p>
      </section>
    </li>
  );
}

interface CountProps {
  readonly words: { readonly before: string; readonly label: string; readonly after: string };
  readonly name: string;
  readonly max: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A blank for a number, with the words around it. */
function Count({ words, name, max, value, onChange }: CountProps) {
  return (
    <>
      <span>{words.before}</span>
      <TextField
        hideLabel
        className={styles.number}
        label={words.label}
        name={name}
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span>{words.after}</span>
    </>
  );
}

interface BranchesProps extends Pick<RuleFieldsProps, 'rule' | 'onChange'> {
  readonly name: string;
}

function Branches({ rule, name, onChange }: BranchesProps) {
  const { about } = useWords().retention;
  return (
    <>
      <div className={styles.line}>
        <span>{about.before}</span>
        <Select
          hideLabel
          label={about.label}
          value={rule.branches === null ? 'all' : 'some'}
          onChange={(event) => onChange({ ...rule, branches: event.target.value === 'all' ? null : 'feature/*' })}
          options={[
            { value: 'all', label: about.all },
            { value: 'some', label: about.some },
          ]}
        />
      </div>
      {rule.branches !== null && (
        <TextField
          hideLabel
          className={styles.patterns}
          label={about.patterns}
          hint={about.hint}
          name={name}
          mono
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          value={rule.branches}
          onChange={(event) => onChange({ ...rule, branches: event.target.value })}
        />
      )}
    </>
  );
}
