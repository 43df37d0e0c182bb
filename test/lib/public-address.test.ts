import { expect, test } from 'bun:test'
import { isPublic } from '../../src/lib/network'

/**
 * The first and last address of every block of IANA's special-purpose registries, and of those that are no unicast:
 * https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const special = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 100.100.100.200
  127.0.0.0 127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255
  192.0.0.0 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.255
  192.31.196.0 192.31.196.255 192.52.193.0 192.52.193.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255
  192.175.48.0 192.175.48.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 168.63.129.16
  :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:0:7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe
  64:ff9b:: 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
  100:: 100::ffff:ffff:ffff:ffff 100:0:0:1:: 100:0:0:1::1 100:0:0:1:ffff:ffff:ffff:ffff
  2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:1::1 2001:1::2 2001:1::3 2001:2:: 2001:3:: 2001:4:112::
  2001:10:: 2001:1f:ffff:: 2001:20:: 2001:2f:ffff:: 2001:30:: 2001:3f:ffff:: 2001:1ff:ffff::
  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:7f00:1:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: e000:: 1fff::
  fc00:: fd00:ec2::254 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80:: fe80::1 febf:: fec0:: feff:: ff00:: ff02::1`
  .trim()
  .split(/\s+/)

test.each(special)('%s is not on the public internet', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each(['127.1', '0x7f000001', '2130706433', 'fe80::1%eth0', 'localhost', ''])(
  '%s is no address',
  (text) => {
    expect(isPublic(text)).toBe(false)
  },
)

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...[
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
  ],
  ...['203.0.112.255', '203.0.114.0', '223.255.255.255', '::ffff:8.8.8.8'],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::1', '2003::1'],
  ...['2606:4700:4700::1111', '2620:4f:7fff::1', '2a00:1450:4001::1', '3ffe::1', '3fff:1000::1'],
])('%s is', (address) => {
  expect(isPublic(address)).toBe(true)
})
