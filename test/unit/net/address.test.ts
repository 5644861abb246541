import { describe, expect, it } from 'vitest';
import { mayReach, networks } from '../../../src/net/address.ts';
import { parseConnections } from '../../../src/net/connections.ts';

const none = networks([]);

describe('addresses', () => {
  it.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '168.63.129.16', '100.64.0.1', '192.0.0.1', '198.18.0.1', '203.0.113.5', '224.0.0.1'],
    ...['255.255.255.255', '::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
    ...['fd00:ec2::254', '0:0:0:0:0:ffff:a9fe:a9fe', '', 'localhost', '127.1', '0x7f000001', '2130706433'],
  ])('%s is off limits', (address) => {
    expect(mayReach(address, none)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '169.253.1.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '193.5.216.100',
  ])('%s is public', (address) => {
    expect(mayReach(address, none)).toBe(true);
  });

  it('a listed network opens that network and no other', () => {
    const listed = networks(['10.20.0.0/16', 'fd00:1::/32']);
    expect(mayReach('10.20.3.4', listed)).toBe(true);
    expect(mayReach('::ffff:10.20.3.4', listed)).toBe(true);
    expect(mayReach('fd00:1::5', listed)).toBe(true);
    expect(mayReach('10.21.0.1', listed)).toBe(false);
    expect(mayReach('fd00:2::5', listed)).toBe(false);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', 'x/8', '::/129', '10.0.0.0/8/8.5'])(
    '%s is no network',
    (range) => {
      expect(() => networks([range])).toThrow(TypeError);
    },
  );
});

describe('connections', () => {
  it.each([
    ['a path behind the origin', { origin: 'https://x.test/rest' }],
    ['credentials', { origin: 'https://u:p@x.test' }],
    ['a query', { origin: 'https://x.test?a=1' }],
    ['another scheme', { origin: 'file:///etc/passwd' }],
    ['plain http to the world', { origin: 'http://x.test' }],
    ['no origin', {}],
    ['no object', 'https://x.test'],
    ['a network that is none', { origin: 'https://x.test', networks: ['everything'] }],
    ['no time', { origin: 'https://x.test', timeoutMs: 0 }],
  ])('refuses %s', (_what, connection) => {
    expect(() => parseConnections({ arcgis: connection })).toThrow(TypeError);
  });

  it('an error names the connection and the member, never a value', () => {
    expect(() => parseConnections({ arcgis: { origin: 'https://x.test', token: '', timeoutMs: 'secret' } })).toThrow(
      'Connection arcgis is not valid: token, timeoutMs.',
    );
  });

  it('leaves members of others alone', () => {
    const connection = parseConnections({ gpt: { kind: 'model', deployment: 'x', origin: 'https://x.test' } }).get(
      'gpt',
    );
    expect(connection).toMatchObject({ origin: 'https://x.test', timeoutMs: 30_000, types: [] });
  });
});
