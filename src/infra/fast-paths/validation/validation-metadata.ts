import { getMetadataStorage, type MetadataStorage } from 'class-validator';

type Metadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>;
type Grouped = ReturnType<MetadataStorage['groupByPropertyName']>;

const cached = new WeakSet<MetadataStorage>();

/**
 * Caches the validation metadata of each DTO class. For every object that it validates, class-validator would search the metadata of all
 * classes, and group the found ones by property. The metadata of a class does not change any more when its first object is validated,
 * because its decorators have run.
 */
export function cacheValidationMetadata(storage = getMetadataStorage()): void {
  if (cached.has(storage)) return;
  cached.add(storage);
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const found = new WeakMap<object, Map<string, Metadata>>();
  const grouped = new WeakMap<Metadata, Grouped>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    const ofTarget = found.get(target) ?? new Map<string, Metadata>();
    found.set(target, ofTarget);
    const key = JSON.stringify([schema, always, strictGroups, groups]);
    const known = ofTarget.get(key) ?? find(target, schema, always, strictGroups, groups);
    ofTarget.set(key, known);
    return known;
  };
  storage.groupByPropertyName = (metadata) => {
    const known = grouped.get(metadata) ?? group(metadata);
    grouped.set(metadata, known);
    return known;
  };
}
