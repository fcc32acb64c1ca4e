import { AccessTokensService } from '../../../../src/modules/auth/credentials/access-tokens.service';
import { type Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { bytesTo } from '../../../support/load/raw-http';

describe('concurrent requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  /** Another access token of a developer's session, which passport has not verified yet. */
  function newToken({ id, email, token }: Developer, age: number): string {
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sid: string };
    const at = app.clock.now().getTime() + age;
    return app.nest.get(AccessTokensService).issue({ id, email }, sid, { now: at, issuedAt: at });
  }

  // red when: passport gets the strategy itself instead of its name (responses are lost or mixed up)
  it('are each authenticated as their own developer', async () => {
    const developers = await Promise.all(Array.from({ length: 4 }, () => app.developer()));
    const asked = Array.from({ length: 80 }, (_, index) => developers[index % developers.length]!);
    // The service receives pipelined requests in the same turn of the event loop, so that all of them are authenticated concurrently.
    const requestOf = (developer: Developer, index: number): string =>
      [
        'GET /api/v1/developers/me HTTP/1.1',
        'Host: localhost',
        `Connection: ${index === asked.length - 1 ? 'close' : 'keep-alive'}`,
        `Authorization: Bearer ${newToken(developer, index)}`,
        '\r\n',
      ].join('\r\n');
    const responses = await bytesTo(app.url, asked.map(requestOf).join(''));
    expect([...responses.matchAll(/^\{"id":"([^"]+)"/gm)].map(([, id]) => id)).toEqual(asked.map(({ id }) => id));
  });
});
