import { pageTemplate, type PageView } from './rendering/page-renderer';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  /** The HTML attribute: `email`, `new-password`, … */
  readonly autocomplete: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The keyboard of a phone. Default: that of the type. */
  readonly keyboard?: 'numeric';
  readonly value?: string;
}

/** A checkbox. The form sends `name=true` when it is ticked. */
export interface FormCheckbox {
  readonly name: string;
  readonly label: string;
  readonly ticked: boolean;
}

/** A form that a browser posts as `application/x-www-form-urlencoded` to a route of this service. */
export interface PageForm {
  readonly action: string;
  /** A list becomes one field for each value. */
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  readonly fields: readonly FormField[];
  readonly checkbox?: FormCheckbox;
  readonly submit: string;
  /** The problem with the last attempt, shown below the fields. */
  readonly problem?: string;
}

export interface PageLink {
  readonly href: string;
  readonly label: string;
}

/** A page with a short message, at most one form or link, and ways into the dashboard. */
export interface MessagePageView extends PageView {
  readonly tone: 'success' | 'problem' | 'neutral';
  /** Shown in place of the drawing of the tone. */
  readonly glyph?: 'lock';
  readonly paragraphs: readonly string[];
  /** A longer text of somebody else, in lines, such as terms to accept. */
  readonly quote?: readonly string[];
  readonly form?: PageForm;
  readonly link?: PageLink;
  /** Another way than the form, as a link below it. */
  readonly otherwise?: PageLink;
  /** Links to paths of the dashboard. They are shown only if it is served. */
  readonly dashboardLinks?: readonly PageLink[];
  /** The last line, for the request id. */
  readonly footnote?: string;
}

export const MESSAGE_PAGE = pageTemplate<MessagePageView>(__dirname, 'message-page');
