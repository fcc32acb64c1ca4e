import { clientNetwork, widerNetwork } from './client-network';

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [null, 'unknown'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('maps %s to %s', (address, counted) => {
    expect(clientNetwork(address)).toBe(counted);
  });
});

describe('widerNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    [null, 'unknown'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001:ffff::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
  ])('maps %s to %s', (address, counted) => {
    expect(widerNetwork(address)).toBe(counted);
  });
});
