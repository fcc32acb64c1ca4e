import { type DataSource, EntityManager } from 'typeorm';
import { type FairPool, type PoolTurn, type TurnOfPool } from './fair-pool';

/** The connections of a data source. TypeORM's types do not say of which class its pool is. */
export const poolOf = ({ driver }: DataSource): FairPool => (driver as unknown as { readonly master: FairPool }).master;

/** An entity manager that takes connections with a turn, also for its transactions. */
export class TurnManager extends EntityManager {
  protected readonly pool: TurnOfPool;

  /**
   * @param turn Default: the service's own.
   * @param from the pool whose connections it takes. Default: that of the data source.
   */
  constructor(dataSource: DataSource, turn?: PoolTurn, from: FairPool = poolOf(dataSource)) {
    const pool = turn ? from.withTurn(turn) : from;
    super(withPool(dataSource, pool));
    this.pool = pool;
  }
}

/** The data source as seen by a caller that takes its connections from `pool`. It shares everything else. */
function withPool(dataSource: DataSource, pool: TurnOfPool): DataSource {
  const driver: object = Object.create(dataSource.driver, { master: { value: pool } }) as object;
  return Object.create(dataSource, { driver: { value: driver } }) as DataSource;
}
