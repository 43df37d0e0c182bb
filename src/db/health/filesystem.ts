import { existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../../lib/failure'

export interface Filesystem {
  readonly name: string
  /** SQLite's log needs memory shared by all processes, and reliable locks, which network filesystems lack. */
  readonly isNetwork: boolean
}

/** Of a directory, or its nearest existing parent. Undefined if it cannot be determined. */
export function filesystemOf(directory: string): Filesystem | undefined {
  let path = resolve(directory)
  while (!existsSync(path) && path !== dirname(path)) path = dirname(path)
  try {
    return filesystemFrom(statfsSync(path).type, realpathSync(path), readMounts())
  } catch {
    return undefined
  }
}

/** `type` is from Linux's statfs(2); `mounts` is /proc/self/mountinfo, the only source for what is behind FUSE. */
export function filesystemFrom(type: number, path: string, mounts: string): Filesystem {
  const magic = type >>> 0
  const network = networkMagics.get(magic)
  if (network !== undefined) return { name: network, isNetwork: true }
  const name = mountedAs(path, mounts) ?? `type 0x${magic.toString(16)}`
  return { name, isNetwork: magic === fuseMagic && remoteFuse.test(name) }
}

/** Throws a `config` failure. */
export function refuseNetworkFilesystem(directory: string, find = filesystemOf): void {
  const filesystem = find(directory)
  if (filesystem?.isNetwork !== true) return
  throw new Failure(
    'config',
    `the data directory ${directory} is on a network filesystem (${filesystem.name}), where SQLite can lose or damage ` +
      'data: use a local disk, or --allow-network-filesystem if only one machine uses it',
  )
}

// statfs(2) and linux/magic.h.
const networkMagics = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'afs'],
  [0x73757245, 'coda'],
  [0x564c, 'ncp'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
  [0x19830326, 'beegfs'],
  [0x47504653, 'gpfs'],
  [0xaad7aaea, 'panfs'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
])

const fuseMagic = 0x65735546

/** Others, such as ntfs-3g, mergerfs and virtiofs, store their files on this machine. */
const remoteFuse =
  /sshfs|rclone|s3|goofys|gcsfuse|blobfuse|gluster|ceph|davfs|curlftp|nfs|smb|cifs|gdrive|juicefs|seaweed|vmhgfs/i

/** The type of the mount with the longest mount point above the path; of several at one point, the last. */
function mountedAs(path: string, mounts: string): string | undefined {
  const above = mounts.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const point = before.split(' ')[4]?.replaceAll(/\\([0-7]{3})/g, (_, code) => byteOf(code))
    const isAbove = point !== undefined && (point === '/' || path === point || path.startsWith(`${point}/`))
    return isAbove ? [{ point, name: after.split(' ')[0] }] : []
  })
  return above.reduce((best, one) => (one.point.length >= best.point.length ? one : best), {
    point: '',
    name: undefined as string | undefined,
  }).name
}

const byteOf = (octal: string) => String.fromCharCode(Number.parseInt(octal, 8))

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}
