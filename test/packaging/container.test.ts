import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Body } from '../support/instance'
import { type Directory, temporaryDirectory } from '../support/kiroku'
import { packaged } from './proxy'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const lastStage = dockerfile.slice(dockerfile.indexOf('\nFROM scratch')).replaceAll('\\\n', '')
const instruction = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(lastStage)?.[1] ?? ''
const words = (name: string): string[] => JSON.parse(/\[.*\]/.exec(instruction(name))?.[0] ?? '[]')

const executable = process.env.KIROKU_TEST_EXECUTABLE
const why = reason()
if (why !== undefined && process.env.CI) throw new Error(why)
if (why !== undefined) console.warn(`the test of the container is skipped: ${why}`)

function reason(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (process.geteuid?.() !== 0) return 'it needs root'
  if (executable === undefined) return 'it needs the compiled file'
  const { exitCode, stderr } = Bun.spawnSync(['unshare', '--mount', '--pid', '--kill-child', 'true'])
  return exitCode === 0 ? undefined : stderr.toString().trim()
}

describe.if(why === undefined)('the container of the Dockerfile', () => {
  test('serves as nobody from a read-only root with only the data directory writable, and its health check passes', async () => {
    using directory = temporaryDirectory()
    const root = makeImage(directory)
    const { code, said } = await runInside(root, words('HEALTHCHECK').join(' '))
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('alive') })
    const database = statSync(join(root, instruction('VOLUME'), 'kiroku.db'))
    expect([database.uid, database.gid].join(':')).toBe(instruction('USER'))
  })
})

/** The root of the last stage: the executable, the C libraries it needs, and the empty volume. */
function makeImage(directory: Directory): string {
  const root = directory.file('root')
  const copy = (from: string, to: string) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(from, join(root, to), { dereference: true })
  }
  copy(executable ?? '', words('ENTRYPOINT')[0] ?? '')
  const libraries = Bun.spawnSync(['ldd', executable ?? '']).stdout.toString()
  for (const [path] of libraries.matchAll(/\/[^ ]*/g)) copy(path, path)
  // Another test in this process may have changed its umask.
  Bun.spawnSync(['chmod', '-R', 'go+rX', root])
  const [uid = 0, gid = 0] = instruction('USER').split(':').map(Number)
  const volume = join(root, instruction('VOLUME'))
  for (const name of [volume, join(root, 'proc'), join(root, 'dev')]) mkdirSync(name, { mode: 0o700 })
  chmodSync(directory.path, 0o755)
  chownSync(volume, uid, gid)
  return root
}

/** Runs the server there, as a container runtime would, and the check until it passes or the server ends. */
async function runInside(root: string, check: string) {
  const [volume, user] = [instruction('VOLUME'), instruction('USER')]
  const variables = [
    'PATH=/usr/sbin:/usr/bin:/bin',
    ...instruction('ENV').split(' '),
    'KIROKU_NO_CATALOGUE=true',
    'KIROKU_PORT=$PORT',
  ]
  const inside = `setpriv --no-new-privs env -i ${variables.join(' ')} chroot --userspec=${user} ${root}`
  const script = `set -e
    mount --bind ${root} ${root}
    mount --bind ${root}${volume} ${root}${volume}
    mount -o remount,bind,ro ${root}
    mount -t tmpfs -o size=64k tmpfs ${root}/dev
    for name in null urandom; do touch ${root}/dev/$name; mount --bind /dev/$name ${root}/dev/$name; done
    mount -o remount,ro ${root}/dev
    mount -t proc proc ${root}/proc
    ${inside} ${[...words('ENTRYPOINT'), ...words('CMD')].join(' ')} & server=$!
    tries=0
    until ${inside} ${check}; do kill -0 $server; tries=$((tries + 1)); test $tries -lt 200; done
    if touch ${root}/new 2>/dev/null; then echo the root can be written; exit 9; fi
    kill -TERM $server; wait $server`
  const port = String(20_000 + (process.pid % 10_000))
  const child = Bun.spawn(['unshare', '--mount', '--pid', '--kill-child', 'sh', '-c', script], {
    env: { ...process.env, PORT: port },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, out, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  return { code, said: out + errors }
}

describe('the Compose file', () => {
  const compose = Bun.YAML.parse(packaged('compose.yaml')) as Body
  const { kiroku, caddy } = compose.services

  test('runs the image as the Dockerfile intends: a read-only root, one volume, no privileges', () => {
    expect(kiroku).toMatchObject({
      build: '..',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: [`data:${instruction('VOLUME')}`],
    })
    expect(kiroku.ports.every((port: string) => port.startsWith('127.0.0.1:'))).toBe(true)
    expect(Number.parseInt(kiroku.stop_grace_period, 10)).toBeGreaterThan(25)
  })

  test("trusts its proxy's network, and names nothing that does not exist", () => {
    const [{ subnet }] = compose.networks.inside.ipam.config
    expect(kiroku.environment.KIROKU_TRUSTED_PROXIES).toBe(subnet)
    const volumes: string[] = [...kiroku.volumes, ...caddy.volumes].map((volume) => volume.split(':')[0])
    expect(Object.keys(compose.volumes).sort()).toEqual(volumes.sort())
    expect(Object.keys(compose.configs)).toEqual(caddy.configs.map(({ source }: Body) => source))
  })
})
