/** At most this many statements are prepared on each connection. Each needs some 20 kB in PostgreSQL. */
const MAX_NAMES = 300;
/**
 * The maximum number of remembered texts that are not prepared: those that were sent once or twice, and those that never are. Some texts
 * depend on the number of their values, and are not sent again.
 */
const MAX_CANDIDATES = 1_000;
/** A statement is prepared when it is sent this often. */
const FREQUENT = 3;

/**
 * Statements whose best plan depends on their values: a list that ends early, a condition that a value switches off, a pattern. After
 * some executions PostgreSQL may reuse one plan for all values of a prepared statement.
 */
const DEPENDS_ON_VALUES = /\bORDER BY\b.*\bLIMIT\b|\bIS NULL OR\b|\bI?LIKE\b|~/is;
/**
 * A comment for statements whose best plan does not depend on their values although they contain a word of `DEPENDS_ON_VALUES`, because
 * each of their parts reads a few rows by an index. Planning such a statement takes longer than executing it.
 */
export const ONE_PLAN = '/* one plan */';
const PREPARABLE = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** The count of a statement that is never prepared, so that its text is searched only once. */
const NEVER = -Infinity;

/** Names the statements that are worth preparing. All connections of a process share one instance. */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly candidates = new Map<string, number>();
  private generation = 1;

  /** The name under which a statement is prepared; undefined when it is sent unprepared. */
  nameOf(statement: string): string | undefined {
    return this.names.get(statement) ?? this.consider(statement);
  }

  /** Gives every statement a new name, because the columns of a result have changed since the old ones were prepared. */
  renew(): void {
    this.generation += 1;
    this.names.clear();
  }

  private consider(statement: string): string | undefined {
    if (this.names.size >= MAX_NAMES) return undefined;
    const count = (this.candidates.get(statement) ?? firstCountOf(statement)) + 1;
    if (count < FREQUENT) {
      if (this.candidates.size >= MAX_CANDIDATES) this.candidates.clear();
      this.candidates.set(statement, count);
      return undefined;
    }
    this.candidates.delete(statement);
    const name = `agate_${this.generation}_${this.names.size}`;
    this.names.set(statement, name);
    return name;
  }
}

const firstCountOf = (statement: string): number =>
  PREPARABLE.test(statement) && (statement.includes(ONE_PLAN) || !DEPENDS_ON_VALUES.test(statement)) ? 0 : NEVER;
