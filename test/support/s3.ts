import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realWorld, type S3Settings, type S3World } from '../../src/backup/remote/s3-settings'

/** s3rver in a separate process, with the bucket `backups`. */
export interface S3Server extends AsyncDisposable {
  readonly settings: S3Settings
  /** Such as `PUT /backups/key?partNumber=1`, since the last call. */
  requests(): readonly string[]
  /** The numbers of stored parts, of all unfinished uploads. */
  storedParts(): readonly number[]
  /** Its directory of unfinished uploads. */
  readonly uploads: string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** On the same port and directory. */
  startAgain(): Promise<void>
}

interface Behaviour {
  /** Milliseconds before each part. */
  readonly delay?: number
  /** Sends ETags that are not digests, like servers that encrypt. */
  readonly otherEtags?: true
}

export async function startS3(directory: string, behaviour: Behaviour = {}): Promise<S3Server> {
  mkdirSync(directory, { recursive: true })
  if (behaviour.otherEtags) writeFileSync(`${directory}.other-etags`, '')
  const first = await spawnS3(directory, 0, behaviour)
  let { child } = first
  const log = `${directory}.log`
  const uploads = join(directory, 'backups', '._S3rver_uploads')
  return {
    settings: {
      endpoint: `http://127.0.0.1:${first.port}`,
      region: 'us-east-1',
      bucket: 'backups',
      prefix: 'kiroku/',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    uploads,
    requests: () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
      rmSync(log, { force: true })
      return lines
    },
    storedParts: () => partsIn(uploads),
    kill: () => end(child),
    startAgain: async () => {
      ;({ child } = await spawnS3(directory, first.port, behaviour))
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** Does not wait between attempts, and uses small parts. */
export const hurriedWorld: S3World = {
  ...realWorld,
  wait: async () => {},
  patience: () => 30_000,
  partBytes: 65_536,
}

async function spawnS3(directory: string, port: number, { delay = 0 }: Behaviour) {
  const script = join(import.meta.dir, 's3rver.ts')
  const child = Bun.spawn([process.execPath, script, directory, String(port), String(delay)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const chunk of child.stdout)
    return { child, port: Number(JSON.parse(Buffer.from(chunk).toString()).port) }
  throw new Error('s3rver did not start')
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGKILL')
  await child.exited
}

function partsIn(uploads: string): number[] {
  if (!existsSync(uploads)) return []
  return readdirSync(uploads).flatMap((id) =>
    readdirSync(join(uploads, id)).flatMap((name) =>
      name.endsWith('.md5') ? [Number.parseInt(name, 10)] : [],
    ),
  )
}
