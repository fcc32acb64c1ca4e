import { newLinkToken, newToken } from '#kernel/access/token-format';
import { loggablePath, redactTokens } from './masking';

describe('loggablePath', () => {
  const token = newLinkToken();
  const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;

  // red when: PATH_TOKEN has no flag `i`, or LONG_SEGMENT is missing
  it.each<[path: string, logged: string]>([
    [`/install/${token}`, '/install/[token]'],
    [`/INSTALL/${token}`, '/INSTALL/[token]'],
    [`/Download/short/a.apk?x=${token}`, '/Download/[token]/a.apk'],
    [`/%69nstall/${token}`, '/%69nstall/[token]'],
    [`//install//${token}/latest`, '//install//[token]/latest'],
    ['/updates/ag_upd_short/latest.yml', '/updates/[token]/latest.yml'],
    [`/nowhere/${token}`, '/nowhere/[token]'],
    [`/nowhere/${encoded}`, '/nowhere/[token]'],
    [`/nowhere/${token}.apk`, '/nowhere/[token]'],
    [`/api/v1/${newToken('ag_prj_').toUpperCase()}`, '/api/v1/[token]'],
    [`/install/install/${token}`, '/install/[token]/[token]'],
    ['/api/v1/builds/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10', '/api/v1/builds/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10'],
  ])('shows %s as %s', (path, logged) => {
    expect(loggablePath(path)).toBe(logged);
  });
});

describe('redactTokens', () => {
  const link = newLinkToken();

  it.each<[text: string, logged: string]>([
    [`no ${newToken('ag_pat_').toLowerCase()} here`, 'no ag_[redacted] here'],
    [`Bearer ${newToken('ag_ref_').toUpperCase()}`, 'Bearer ag_[redacted]'],
    [`the link ${link} is used`, 'the link [token] is used'],
    [`${link.slice(1)} and ${link}x`, `${link.slice(1)} and ${link}x`],
    ['Bearer eyJhbGciOi.eyJzdWIi.c2ln', 'Bearer [jwt]'],
  ])('masks tokens in any letter case: %#', (text, logged) => {
    expect(redactTokens(text)).toBe(logged);
  });
});
