import { expect, test } from 'bun:test'
import { filesystemFrom, filesystemOf, refuseNetworkFilesystem } from '../../src/db/health/filesystem'
import { exitCodes, Failure } from '../../src/lib/failure'

const mounts = [
  '22 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '31 22 0:40 / /srv rw,relatime - fuse.mergerfs pool rw',
  '32 31 0:41 / /srv/far\\040away rw,relatime shared:5 - fuse.sshfs host:/data rw',
].join('\n')

const fuse = 0x65735546

const kinds: [string, number, string, boolean][] = [
  ['/data', 0xef53, 'ext4', false],
  ['/data', 0x6969, 'nfs', true],
  ['/data', 0x517b, 'smb', true],
  // statfs(2) returns it as a negative number if the type has 32 bits.
  ['/data', -0xacb2be, 'cifs', true],
  ['/data', 0xfe534d42, 'smb2', true],
  ['/data', 0x01021997, '9p', true],
  ['/data', 0x00c36400, 'ceph', true],
  ['/srv/data', fuse, 'fuse.mergerfs', false],
  ['/srv/far away/data', fuse, 'fuse.sshfs', true],
  ['/srv/far awayness', fuse, 'fuse.mergerfs', false],
]
test.each(kinds)('%s of type %d is %s', (path, type, name, isNetwork) => {
  expect(filesystemFrom(type, path, mounts)).toEqual({ name, isNetwork })
})

test('a network filesystem is refused with 78 and one line that says what to do', () => {
  const find = () => filesystemFrom(0x6969, '/data', mounts)
  try {
    refuseNetworkFilesystem('/data', find)
    expect.unreachable('it was accepted')
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    expect(cause.exitCode).toBe(exitCodes.config)
    expect(cause.message).toMatch(/\/data is on a network filesystem \(nfs\).*--allow-network-filesystem/)
  }
})

test('the filesystem of a missing directory is that of its parent', () => {
  const found = filesystemOf(`${import.meta.dir}/nowhere/at/all`)
  expect(found).toEqual(filesystemOf(import.meta.dir))
  expect(found?.isNetwork).toBe(false)
})
