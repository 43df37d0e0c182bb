import { internet, type Outside } from '../../src/fetching/outside'

/** A server on this machine that stands in for hosts on the internet, and the requests it received. */
export interface WebSite {
  readonly port: number
  /** `http://` and a host. */
  at(host: string, path?: string): string
  readonly asked: { readonly host: string; readonly path: string; readonly headers: Headers }[]
  stop(): Promise<void>
}

export function createWebSite(
  answer: (path: string, request: Request) => Response | Promise<Response>,
): WebSite {
  const asked: WebSite['asked'] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      asked.push({
        host: request.headers.get('host') ?? '',
        path: pathname + search,
        headers: request.headers,
      })
      return answer(pathname, request)
    },
  })
  const { port = 0 } = server
  return {
    port,
    at: (host, path = '/') => `http://${host}:${port}${path}`,
    asked,
    stop: () => server.stop(true),
  }
}

/** A world in which every name in `.test` is this machine; its clock moves only while somebody waits. */
export function createOutside(names: Readonly<Record<string, readonly string[]>> = {}) {
  const state = { now: 0, slept: [] as number[], resolved: [] as string[] }
  const outside: Outside = {
    resolve: async (host) => {
      state.resolved.push(host)
      const known = names[host] ?? (host.endsWith('.test') ? ['127.0.0.1'] : undefined)
      if (known === undefined) throw new Error('ENOTFOUND')
      return known
    },
    mayReach: (address) => address === '127.0.0.1',
    steady: () => state.now,
    sleep: async (ms) => {
      state.slept.push(ms)
      state.now += ms
    },
  }
  return { outside, state }
}

/** A world in which no name has an address. */
export const nowhere: Outside = { ...internet, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
