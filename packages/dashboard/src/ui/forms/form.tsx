import {
  type ComponentProps,
  createContext,
  type FormEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '../class-names';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import { type FieldElement, isField, restoreDraft, validityMessage } from './drafts';
import s from './forms.module.css';

/** The error of the sent values, for example an ApiError of @agate/client. */
export interface FormErrors {
  readonly message: string;
  /** Messages by the name of the field they belong to. */
  readonly fields?: ReadonlyMap<string, string>;
  readonly requestId?: string | null;
  /** The address of the page that explains the error. */
  readonly help?: string | null;
}

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Called with the values by name, after the browser's own checks have passed. */
  readonly onSubmit: (values: FormData) => void;
  readonly errors?: FormErrors | null;
  /** Shows messages without a field above the fields: below the button they are out of sight of a short form. */
  readonly alertFirst?: boolean;
}

type Messages = ReadonlyMap<string, string>;
const NONE: Messages = new Map();
const FieldErrors = createContext<Messages>(NONE);

/** The message of the form for the field of this name. */
export function useFieldError(name: string | undefined): string | undefined {
  const messages = useContext(FieldErrors);
  return name === undefined ? undefined : messages.get(name);
}

/**
 * A form that shows each message at its field, focuses the first invalid field, and shows messages without a field in an alert. The checks
 * are the browser's (`required`, `type`, `minLength`, `pattern`, …), with the words of the page's language.
 */
export function Form({ onSubmit, errors, alertFirst = false, className, children, ...rest }: FormProps) {
  const words = useUiWords();
  const form = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<Messages>(NONE);
  const [edited, setEdited] = useState<{ of: FormErrors | null | undefined; names: ReadonlySet<string> }>();
  const [unplaced, setUnplaced] = useState<{ of: FormErrors; text: string }>();

  const editedNames = edited?.of === errors ? edited?.names : undefined;
  const messages = useMemo(() => {
    const sent = [...(errors?.fields ?? NONE)].filter(([name]) => !editedNames?.has(name));
    return new Map([...sent, ...own]);
  }, [errors, editedNames, own]);

  useEffect(() => {
    if (form.current) restoreDraft(form.current);
  }, []);

  useLayoutEffect(() => {
    if (!errors || !form.current) return;
    const names = new Set(fieldsOf(form.current).map(({ name }) => name));
    const placed = [...(errors.fields ?? NONE).keys()].filter((name) => names.has(name));
    const others = [...(errors.fields ?? NONE)].filter(([name]) => !names.has(name)).map(([, text]) => text);
    setUnplaced({ of: errors, text: placed.length > 0 ? others.join(' ') : [errors.message, ...others].join(' ') });
    focusFirst(form.current, new Set(placed));
  }, [errors]);

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // In React's tree, the form of a dialog can be inside another form, although its element is not.
    event.stopPropagation();
    const element = event.currentTarget;
    const bad = fieldsOf(element).filter((field) => !field.validity.valid);
    setOwn(new Map(bad.map((field) => [field.name, validityMessage(field, words)])));
    if (bad.length > 0) return focusFirst(element, new Set(bad.map(({ name }) => name)));
    onSubmit(new FormData(element));
  };
  const input = (event: FormEvent<HTMLFormElement>): void => {
    if (!isField(event.target)) return;
    const { name } = event.target;
    if (own.has(name)) setOwn(new Map([...own].filter(([other]) => other !== name)));
    if (errors?.fields?.has(name)) setEdited({ of: errors, names: new Set([...(editedNames ?? []), name]) });
  };

  const text = unplaced !== undefined && unplaced.of === errors ? unplaced.text : '';
  const alert = text && <FormAlert text={text} errors={errors} />;
  return (
    <form ref={form} noValidate className={classNames(s.form, className)} {...rest} onSubmit={submit} onInput={input}>
      {alertFirst && alert}
      <FieldErrors.Provider value={messages}>{children}</FieldErrors.Provider>
      {!alertFirst && alert}
    </form>
  );
}

/** The message that belongs to no field. */
function FormAlert({ text, errors }: { readonly text: string; readonly errors?: FormErrors | null | undefined }) {
  const words = useUiWords();
  return (
    <div role="alert" className={s.alert}>
      <Icon name="problem" />
      <div>
        <p>{text}</p>
        {errors?.requestId && (
          <p className={s.requestId}>
            {words.requestId} <code>{errors.requestId}</code>
          </p>
        )}
        {errors?.help && (
          <p>
            <a href={errors.help} target="_blank" rel="noreferrer">
              {words.explained}
            </a>
          </p>
        )}
      </div>
    </div>
  );
}

const fieldsOf = (form: HTMLFormElement): FieldElement[] => [...form.elements].filter(isField);

function focusFirst(form: HTMLFormElement, names: ReadonlySet<string>): void {
  fieldsOf(form)
    .find(({ name }) => names.has(name))
    ?.focus();
}

/** The text of a field of a form, by its name. Empty when the field is not there. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
