import { cpSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Directory, type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { until } from '../support/until'

/** A file of `packaging/`. */
export const packaged = (name: string): string =>
  readFileSync(join(import.meta.dir, '../../packaging', name), 'utf8')

/** Whether a Debian program is installed; tests that need it are skipped if not, but never in CI. */
export function has(program: string): boolean {
  if (Bun.which(program, { PATH: searchPath }) !== null) return true
  if (process.env.CI) throw new Error(`tests need ${program}, which is not installed`)
  console.warn(`tests with ${program} are skipped: it is not installed`)
  return false
}

/** Debian installs servers in directories that may be missing in a user's PATH. */
const searchPath = `${process.env.PATH}:/usr/sbin:/sbin`

/** An example for a proxy: how to run it in a directory, with everything at the given ports. */
export interface Example {
  readonly name: string
  /** The path below which kiroku is reached, or ''. */
  readonly path: string
  command(site: Ports, directory: Directory): Promise<readonly string[]>
}

export interface Ports {
  readonly http: number
  readonly https: number
  readonly kiroku: number
}

export interface ProxiedSite extends AsyncDisposable {
  readonly baseUrl: string
  readonly kiroku: Server
  readonly directory: Directory
  /** Sends a request to the proxy, like a browser; does not follow redirects. */
  ask(target: string, init?: RequestInit): Promise<Response>
}

/** kiroku behind an example's proxy, with a copy of a directory's data. */
export async function startProxied(example: Example, made: Directory): Promise<ProxiedSite> {
  const directory = temporaryDirectory()
  cpSync(made.path, directory.path, { recursive: true })
  const [http, https, port] = [freePort(), freePort(), freePort()]
  const ports = { http: await http, https: await https, kiroku: await port }
  const origin = `https://localhost:${ports.https}`
  const baseUrl = `${origin}${example.path}`
  const flags = ['--port', String(ports.kiroku), '--base-url', baseUrl, '--trusted-proxies', '127.0.0.1']
  const kiroku = await startServer(directory, flags)
  const proxy = Bun.spawn([...(await example.command(ports, directory))], {
    env: { PATH: searchPath, HOME: directory.path },
    stdout: 'ignore',
    stderr: Bun.file(directory.file('proxy.log')),
  })
  const ask: ProxiedSite['ask'] = (target, init = {}) => {
    const headers = new Headers(init.headers)
    if (headers.has('origin')) headers.set('origin', origin)
    return fetch(origin + target, {
      ...init,
      headers,
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
    })
  }
  const site = {
    ...{ baseUrl, kiroku, directory, ask },
    [Symbol.asyncDispose]: async () => {
      proxy.kill()
      await proxy.exited
      await kiroku[Symbol.asyncDispose]()
      directory[Symbol.dispose]()
    },
  }
  await untilAnswered(ask, proxy).catch(async (cause) => {
    const said = await Bun.file(directory.file('proxy.log')).text()
    await site[Symbol.asyncDispose]()
    throw new Error(`${example.name} did not start: ${said}`, { cause })
  })
  return site
}

async function untilAnswered(ask: ProxiedSite['ask'], proxy: Bun.Subprocess): Promise<void> {
  await until(async () => {
    if (proxy.exitCode !== null) throw new Error(`it ended with ${proxy.exitCode}`)
    const response = await ask('/').catch(() => undefined)
    return response !== undefined && response.status < 500
  })
}

/** Was free when checked. */
function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
  })
  return promise
}
