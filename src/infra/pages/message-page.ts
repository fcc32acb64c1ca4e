import { type PageView, pageTemplate } from './rendering/page-renderer';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  /** The autofill word (HTML §4.10.18.7): `email`, `new-password`, … */
  readonly autocomplete: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly value?: string;
}

/** A form that posts as a browser does, `application/x-www-form-urlencoded`, to a route of the same host. */
export interface PageForm {
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields: readonly FormField[];
  readonly submit: string;
  /** What was wrong with the last attempt, said above the fields. */
  readonly problem?: string;
}

export interface PageLink {
  readonly href: string;
  readonly label: string;
}

/** One short thing to say, and at most one thing to do. */
export interface MessagePageView extends PageView {
  readonly tone: 'success' | 'problem' | 'neutral';
  readonly paragraphs: readonly string[];
  readonly form?: PageForm;
  readonly link?: PageLink;
  /** The quiet last line: a request's number. */
  readonly footnote?: string;
}

export const MESSAGE_PAGE = pageTemplate<MessagePageView>(__dirname, 'message-page');
