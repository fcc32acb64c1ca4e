import 'reflect-metadata';
import { getMetadataStorage, IsInt, IsString, validateSync } from 'class-validator';
import { cacheValidationMetadata } from './validation-metadata';

class Parent {
  @IsString() name: unknown;
}
class Child extends Parent {
  @IsInt() count: unknown;
}
class Grouped {
  @IsInt({ groups: ['a'] }) first: unknown;
  @IsInt({ groups: ['b'] }) second: unknown;
}

describe('cached validation metadata', () => {
  const storage = getMetadataStorage();
  const errorsOf = (object: object, groups?: string[]): string[] =>
    validateSync(object, groups && { groups }).map(({ property }) => property);

  it('belongs to the class, its parents and the groups, on every call', () => {
    const before = [errorsOf(new Child()), errorsOf(new Grouped(), ['a']), errorsOf(new Grouped(), ['b'])];
    expect(before).toEqual([['count', 'name'], ['first'], ['second']]);
    cacheValidationMetadata();
    for (let time = 0; time < 2; time++) {
      expect([errorsOf(new Child()), errorsOf(new Grouped(), ['a']), errorsOf(new Grouped(), ['b'])]).toEqual(before);
      expect(errorsOf(Object.assign(new Child(), { name: 'a', count: 1 }))).toEqual([]);
    }
  });

  // red when: class-validator renames the functions, so that the replacements are never called
  it('is searched once per class', () => {
    cacheValidationMetadata();
    const find = (): unknown => storage.getTargetValidationMetadatas(Child, undefined as never, false, false);
    expect(find()).toBe(find());
    const grouped = storage.groupByPropertyName(find() as never);
    expect(storage.groupByPropertyName(find() as never)).toBe(grouped);
    const every = jest.spyOn(storage, 'getTargetValidationMetadatas');
    errorsOf(new Child());
    expect(every).toHaveBeenCalled();
  });
});
