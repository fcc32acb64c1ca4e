import { type FindOptionsOrder, type FindOptionsWhere, LessThan, type ObjectLiteral, type Repository } from 'typeorm';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';

/**
 * Reads one page of the rows that match, newest first. A cursor of another list than `list` returns the first page.
 * @param key the column by which the rows are ordered, a UUIDv7.
 */
export async function findPage<T extends ObjectLiteral & Readonly<Record<K, string>>, K extends string = 'id'>(
  repository: Repository<T>,
  where: FindOptionsWhere<T>,
  { limit, cursor }: PageRequest,
  list: ListName,
  key: K = 'id' as K,
): Promise<Page<T>> {
  const before = decodeCursor(cursor, list);
  const rows = await repository.find({
    where: before ? { ...where, [key]: LessThan(before) } : where,
    order: { [key]: 'DESC' } as FindOptionsOrder<T>,
    take: limit + 1,
  });
  return pageOf(rows, limit, list, key);
}
