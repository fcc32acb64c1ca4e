import { addressBlock } from './address-block';

describe('addressBlock', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:7:1::1', '2001:db8:7::/48'],
    ['2001:DB8:0007:ffff:1:2:3:4', '2001:db8:7::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['2001::7:1:2:3:4:5', '2001:0:7::/48'],
    ['not an address', 'unknown'],
    [null, 'unknown'],
  ])('maps %s to %s', (address, block) => expect(addressBlock(address)).toBe(block));
});
