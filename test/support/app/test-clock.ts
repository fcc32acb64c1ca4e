import { Client } from 'pg';
import { Clock } from '#kernel/context/clock';

/** The system clock with an offset, which also applies to `app_now()` of the test's database. */
export class TestClock extends Clock {
  private offsetMs = 0;

  constructor(private readonly databaseUrl: string) {
    super();
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  async advance({ hours = 0, minutes = 0, seconds = 0, days = 0 }): Promise<void> {
    this.offsetMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      await client.query(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
        AS $$ SELECT clock_timestamp() + interval '${this.offsetMs} milliseconds' $$`);
    } finally {
      await client.end();
    }
  }
}
