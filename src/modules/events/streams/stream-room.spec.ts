import { MAX_STREAMS, type Occupant, placeFor } from './stream-room';

const of = (account: string, organizationId = account, network = account): Occupant => ({
  account,
  organizationId,
  network,
});
/** Each of several accounts opens as many streams. */
const crowd = (accounts: number, streams: number, make: (n: number) => Occupant): Occupant[] =>
  Array.from({ length: streams }, () => Array.from({ length: accounts }, (_, n) => make(n))).flat();
const limit = expect.objectContaining({ errorCase: 'rate_limit_exceeded' }) as Error;

describe('the room of a process for streams', () => {
  it('has a place for every stream until it is full', () => {
    const open = crowd(MAX_STREAMS - 1, 1, (n) => of(`a${n}`));
    expect(placeFor(of('ann'), open)).toBeNull();
  });

  it('is ten streams for a developer, also in an empty process', () => {
    expect(
      placeFor(
        of('ann'),
        crowd(1, 9, () => of('ann')),
      ),
    ).toBeNull();
    expect(() =>
      placeFor(
        of('ann'),
        crowd(1, 10, () => of('ann')),
      ),
    ).toThrow(limit);
  });

  // red when: a full process rejects everybody
  it('is taken from a hundred accounts with ten streams each until everybody else has their share', () => {
    let open = crowd(100, 10, (n) => of(`attacker ${n}`));
    for (let developer = 0; developer < 400; developer++) {
      const newcomer = of(`developer ${developer}`);
      const displaced = placeFor(newcomer, open);
      expect(displaced?.account).toMatch(/^attacker/);
      open = [...open.filter((each) => each !== displaced), newcomer];
    }
  });

  it('is not taken back by the displaced developer', () => {
    const open = [...crowd(99, 10, (n) => of(`a${n}`)), ...crowd(1, 9, () => of('ann')), of('bob')];
    expect(() => placeFor(of('ann'), open)).toThrow(limit);
  });

  // red when: accounts alone are counted
  it.each([
    ['a network', (n: number) => of(`a${n}`, `o${n}`, 'one network')],
    ['an organization', (n: number) => of(`a${n}`, 'one organization', `n${n}`)],
  ])('is at most half of all for %s while others need it', (_name, make) => {
    const open = [...crowd(501, 1, make), ...crowd(499, 1, (n) => of(`other ${n}`))];
    expect(placeFor(of('ann'), open)).toBe(open[500]);
    expect(() => placeFor(of('ann'), [...open.slice(1), of('bob')])).toThrow(limit);
    expect(() => placeFor(make(1_000), open)).toThrow(limit);
  });
});
