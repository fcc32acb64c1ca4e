import { type ComponentProps } from 'react';
import { DescriptionList } from '../../../ui';

/** Facts of a build. Those without a value are left out. */
export const Facts = ({ items }: Pick<ComponentProps<typeof DescriptionList>, 'items'>) => (
  <DescriptionList items={items.map((item) => ({ ...item, value: item.value || null }))} />
);
