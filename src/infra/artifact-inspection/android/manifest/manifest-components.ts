import { cleanText } from '#kernel/text/text';
import { LIMITS } from '../../limits/limits';
import { ANDROID, attribute, textOf } from './manifest-attributes';
import { type ManifestElement } from './manifest-element';

/** The components that must say whether other apps may start them, when they have an intent filter. */
const COMPONENTS: readonly string[] = ['activity', 'activity-alias', 'service', 'receiver'];

/**
 * The name of the first component with an intent filter and without `android:exported`: Android 12 and newer reject an app that targets them
 * and has one. `null` when there is none. As on devices, a filter without an action only counts for services.
 */
export function unexportedComponent(elements: readonly ManifestElement[]): string | null {
  const application = elements.findIndex(({ depth, name }) => depth === 1 && name === 'application');
  if (application < 0) return null;
  let component: ManifestElement | null = null;
  let isInFilter = false;
  for (const element of contentOf(elements, application)) {
    if (element.depth === 2) component = needsExported(element) ? element : null;
    if (element.depth <= 3) isInFilter = isFilter(element);
    if (component && isInFilter && (isAction(element) || component.name === 'service')) return nameOf(component);
  }
  return null;
}

/** The elements inside of an element. */
function contentOf(elements: readonly ManifestElement[], parent: number): readonly ManifestElement[] {
  const depth = elements[parent]?.depth ?? 0;
  const end = elements.findIndex((element, index) => index > parent && element.depth <= depth);
  return elements.slice(parent + 1, end < 0 ? undefined : end);
}

const isFilter = ({ depth, name }: ManifestElement): boolean => depth === 3 && name === 'intent-filter';
const isAction = ({ depth, name }: ManifestElement): boolean => depth === 4 && name === 'action';

const needsExported = (element: ManifestElement): boolean =>
  COMPONENTS.includes(element.name) && attribute(element, ANDROID.exported) === null;

const nameOf = (component: ManifestElement): string =>
  cleanText(textOf(attribute(component, ANDROID.name)) ?? '', LIMITS.nameLength) || component.name;
