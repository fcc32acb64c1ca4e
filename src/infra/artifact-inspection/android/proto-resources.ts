import { bytesAt, integerAt, ProtoReader } from '../formats/protobuf';
import { type WorkBudget } from '../limits/work-budget';
import { followReferences, type Resources, type ResourceText, type ResourceValues } from './resources';

/** Field numbers of aapt2's Resources.proto. */
const TABLE = { package: 2 } as const;
const PACKAGE = { id: 1, type: 3 } as const;
const TYPE = { id: 1, entry: 3 } as const;
const ENTRY = { id: 1, value: 6 } as const;
const CONFIGURED = { configuration: 1, value: 2 } as const;
const CONFIGURATION = { locale: 3, density: 18 } as const;
const VALUE = { item: 4 } as const;
const ITEM = { reference: 1, text: 2, rawText: 3, styledText: 4, file: 5, primitive: 7 } as const;
const REFERENCE = { id: 2 } as const;
/** The field that holds the text, for each kind of text, and the path of a file. */
const TEXT = 1;
const PRIMITIVE = { decimal: 6, hexadecimal: 7, boolean: 8 } as const;
/** The field of the id in a message that consists of an id. */
const ID = 1;

/** An app has up to some hundred thousand entries, of which few are read. This number of entries counts as one element of the budget. */
const ENTRIES_PER_ELEMENT = 16;

/** `resources.pb` of an app bundle (aapt.pb.ResourceTable). Looks up resources by id; the entries of a type are indexed once. */
export class ProtoResources implements Resources {
  /** The types, keyed by `package << 8 | type`. */
  private readonly types = new Map<number, Buffer[]>();
  /** Entries by index, for each type that was looked up. */
  private readonly entries = new Map<number, ReadonlyMap<number, Buffer>>();

  /** Throws when `bytes` are malformed. */
  constructor(
    bytes: Buffer,
    private readonly budget: WorkBudget,
  ) {
    for (const table = new ProtoReader(bytes); table.next();) {
      budget.countElements();
      if (table.number === TABLE.package) this.indexPackage(table.bytes);
    }
  }

  valuesOf(id: number): ResourceValues {
    return followReferences(id, (each, found) => {
      const references: number[] = [];
      const entry = this.entriesOf(each >>> 16).get(each & 0xffff);
      for (const reader = new ProtoReader(entry ?? Buffer.alloc(0)); reader.next();) {
        this.budget.countElements();
        if (reader.number === ENTRY.value) this.read(reader.bytes, found, references);
      }
      return references;
    });
  }

  private indexPackage(message: Buffer): void {
    const packageId = integerAt(bytesAt(message, PACKAGE.id), ID);
    for (const reader = new ProtoReader(message); reader.next();) {
      this.budget.countElements();
      if (reader.number !== PACKAGE.type) continue;
      const key = (packageId << 8) | integerAt(bytesAt(reader.bytes, TYPE.id), ID);
      const known = this.types.get(key);
      if (known) known.push(reader.bytes);
      else this.types.set(key, [reader.bytes]);
    }
  }

  private entriesOf(type: number): ReadonlyMap<number, Buffer> {
    const known = this.entries.get(type);
    if (known) return known;
    const entries = new Map<number, Buffer>();
    let read = 0;
    for (const message of this.types.get(type) ?? []) {
      for (const reader = new ProtoReader(message); reader.next();) {
        if (read++ % ENTRIES_PER_ELEMENT === 0) this.budget.countElements();
        if (reader.number === TYPE.entry) entries.set(integerAt(bytesAt(reader.bytes, ENTRY.id), ID), reader.bytes);
      }
    }
    this.entries.set(type, entries);
    return entries;
  }

  /** Reads the value of one configuration. */
  private read(message: Buffer, found: { texts: ResourceText[]; numbers: number[] }, references: number[]): void {
    const configuration = bytesAt(message, CONFIGURED.configuration);
    const item = bytesAt(bytesAt(message, CONFIGURED.value), VALUE.item);
    for (const reader = new ProtoReader(item); reader.next();) {
      this.budget.countElements();
      const { bytes } = reader;
      switch (reader.number) {
        case ITEM.reference:
          references.push(integerAt(bytes, REFERENCE.id));
          break;
        case ITEM.text:
        case ITEM.rawText:
        case ITEM.styledText:
        case ITEM.file:
          found.texts.push({ text: this.textOf(bytes), ...propertiesOf(configuration) });
          break;
        case ITEM.primitive:
          found.numbers.push(...numbersOf(bytes));
      }
    }
  }

  private textOf(message: Buffer): string {
    const bytes = bytesAt(message, TEXT);
    this.budget.countText(bytes.length);
    return bytes.toString('utf8');
  }
}

const propertiesOf = (configuration: Buffer): Omit<ResourceText, 'text'> => ({
  anyLocale: bytesAt(configuration, CONFIGURATION.locale).length === 0,
  density: integerAt(configuration, CONFIGURATION.density),
});

function numbersOf(primitive: Buffer): number[] {
  const reader = new ProtoReader(primitive);
  const numbers: readonly number[] = Object.values(PRIMITIVE);
  return reader.next() && numbers.includes(reader.number) ? [reader.integer] : [];
}
