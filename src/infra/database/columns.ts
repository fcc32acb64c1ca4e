import { type EntityMetadata } from 'typeorm';

/**
 * The columns of a table under the names of their entity's properties, for a list that reads its rows itself: what comes has the
 * entity's shape, and a long page is spared the mapper, which takes as long again as the driver. For entities without transformers: nothing else is done to what the driver reads.
 */
export const columnsOf = ({ columns }: EntityMetadata): string =>
  columns.map(({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`).join(', ');
