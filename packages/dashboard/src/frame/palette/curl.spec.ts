import { curlOf } from './curl';

const ID = '0198b1c2-0000-7000-8000-000000000001';
const addressOf = (pathname: string): string | undefined =>
  /"(\/api\/v1[^"]*)"$/.exec(curlOf('', pathname))?.[1]?.slice('/api/v1'.length);

describe('the curl command of a screen', () => {
  it.each([
    ['/o/acme', '/projects?organization_id=acme'],
    ['/o/acme/members', '/organizations/acme/members'],
    ['/o/acme/audit', '/audit/organization/acme'],
    ['/o/acme/p/rocket', '/projects/rocket?organization_id=acme'],
    ['/o/acme/p/rocket/access', '/projects/rocket/members?organization_id=acme'],
    ['/o/acme/p/rocket/builds', '/builds?organization_id=acme&project_id=rocket'],
    ['/o/acme/p/rocket/tokens', '/project-access-tokens?organization_id=acme&project_id=rocket'],
    [`/o/acme/p/rocket/channels/${ID}`, `/channels/${ID}?organization_id=acme&project_id=rocket`],
    [`/o/acme/p/rocket/builds/${ID}/downloads`, `/builds/${ID}/downloads?organization_id=acme&project_id=rocket`],
    ['/o/acme/p/rocket/testers/import', '/projects'],
    ['/account/security', '/developers/me'],
  ])('%s reads %s', (pathname, address) => expect(addressOf(pathname)).toBe(address));

  it('takes the token from the environment', () => {
    expect(curlOf('https://agate.test', '/account')).toBe(
      'curl -H "Authorization: Bearer $AGATE_TOKEN" "https://agate.test/api/v1/developers/me"',
    );
  });
});
