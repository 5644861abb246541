/** Which addresses a connection may reach. */
import { BlockList, isIP } from 'node:net';

/**
 * Special-purpose ranges (IANA registries, RFC 6890 and successors): this host, private, shared (CGNAT), link-local
 * with the metadata services, documentation, benchmarking, multicast, reserved, ULA, and the IPv6 forms that carry
 * an IPv4 address.
 */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Platform metadata and DNS service of Azure, a public address by its looks.
  '168.63.129.16/32',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Throws `TypeError` for what is no `address/bits`. */
export function networks(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = '', more] = range.split('/');
    const family = isIP(address);
    const width = Number(bits);
    if (more !== undefined || family === 0 || !/^\d{1,3}$/.test(bits) || width > (family === 4 ? 32 : 128)) {
      throw new TypeError(`${range} is no network in CIDR notation.`);
    }
    list.addSubnet(address, width, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const special = networks(SPECIAL);

/** IPv4-mapped IPv6 (`::ffff:a.b.c.d`, either spelling) as its IPv4 address; others unchanged. */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address;
  const host = new URL(`http://[${address.split('%')[0] ?? ''}]/`).hostname.slice(1, -1);
  const match = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (match === null) return host;
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Whether `address` may be connected to: public, or inside a network that the connection lists. */
export function mayReach(address: string, listed: BlockList): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 0) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  return listed.check(plain, kind) || !special.check(plain, kind);
}
