import { Client } from 'pg';

/**
 * Makes failed jobs wait two hours longer, so that the test decides when the next attempt is due. The first retry of the queue is due after
 * three seconds, which a busy machine can exceed between two looks of a test.
 * @param condition of the jobs, on `NEW`.
 */
export async function postponesRetries(ownerUrl: string, condition = 'NEW.last_error IS NOT NULL'): Promise<void> {
  const owner = new Client(ownerUrl);
  await owner.connect();
  const trigger = `CREATE FUNCTION postpone() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.run_at := NEW.run_at + interval '2 hours'; RETURN NEW; END $$;
    CREATE TRIGGER postpone BEFORE UPDATE ON graphile_worker._private_jobs FOR EACH ROW
      WHEN (OLD.locked_at IS NOT NULL AND NEW.locked_at IS NULL AND ${condition}) EXECUTE FUNCTION postpone()`;
  await owner.query(trigger).finally(() => owner.end());
}
