import { startSession } from '../src/accounts/sign-in/session'
import { createApp } from '../src/app'
import { openHandle, openStore } from '../src/db/open'
import type { Deps } from '../src/deps'
import { createSecret } from '../src/lib/secret'
import { cookieName } from '../src/web/cookies'
import { busiest, depsOn } from './list-site'
import { median } from './median'
import { table } from './table'

/** Bytes of HTML, raw and compressed; times in ms. */
interface PageCost {
  readonly path: string
  readonly bytes: number
  readonly zipped: number
  readonly time: number
  readonly slowest: number
}

const aims = { bytes: 50_000, time: 20, fast: 5 }

/**
 * The cost of each page in an instance of 1,000,000 records, for the member with the most rows: bytes of HTML, and the
 * median and longest time of `rounds` from the request to the whole answer, within this process.
 */
export async function measurePages(data: string, rounds: number): Promise<string> {
  const handle = openHandle(data)
  const store = openStore(data, handle)
  try {
    const deps = depsOn(store, data)
    const app = createApp(deps)
    const cookie = `${cookieName('sid', deps.config.baseUrl)}=${await signIn(deps, busiest(handle))}`
    const costs: PageCost[] = []
    for (const path of pathsIn(handle)) {
      const ask = () =>
        app.handle(
          new Request(deps.config.baseUrl + path, {
            headers: { host: '127.0.0.1', cookie, 'accept-language': 'ja' },
          }),
          '192.0.2.1',
        )
      costs.push(await cost(path, ask, rounds))
    }
    return reportOf(costs)
  } finally {
    await store.close()
  }
}

/** Returns the cookie's value. */
export async function signIn(deps: Deps, userId: number): Promise<string> {
  const cookie = createSecret('se', deps.random)
  const browser = { userAgent: 'bench', address: '192.0.2.1' }
  await deps.write((tx) =>
    startSession(tx, { userId, cookie, browser, at: deps.now(), believed: deps.now() }),
  )
  return cookie
}

/** Pages that people open daily: the member's, and those of the work with the most records, the longest, and a film. */
export function pathsIn(handle: ReturnType<typeof openHandle>): readonly string[] {
  const one = (sql: string) => String(handle.query(sql).values()[0]?.[0])
  const name = one(`select username from users where id = ${busiest(handle)}`)
  const known = one('select work_id from episodes where hidden = 0 order by records_count desc limit 1')
  const longest = one('select id from works where hidden = 0 order by episodes_count desc limit 1')
  const film = one(
    'select id from works where hidden = 0 and no_episodes = 1 order by reviews_count desc limit 1',
  )
  const season = one(`select season_year || '-' || season from works where hidden = 0 and season is not null
    group by 1 order by count(*) desc limit 1`)
  return [
    ...['/', '/?sort=recent', '/search?q=%E8%91%AC%E9%80%81', '/search?q=frieren', `/seasons/${season}`],
    ...[`/works/${known}`, `/works/${longest}`, `/works/${film}`, `/works/${known}/episodes/1`],
    ...[
      `/@${name}`,
      `/@${name}/library/watched`,
      `/@${name}/diary/2026/3`,
      `/@${name}/stats`,
      `/@${name}/2025`,
      '/activity',
      '/activity/everyone',
      '/people',
      `/@${name}/followers`,
      '/welcome',
      '/settings',
      '/settings/history',
    ],
  ]
}

async function cost(path: string, ask: () => Promise<Response>, rounds: number): Promise<PageCost> {
  const times: number[] = []
  let text = ''
  for (let round = 0; round < rounds + 3; round++) {
    const before = performance.now()
    const response = await ask()
    text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    // The first rounds compile statements.
    if (round >= 3) times.push(performance.now() - before)
  }
  const zipped = Bun.gzipSync(new TextEncoder().encode(text)).length
  const bytes = new TextEncoder().encode(text).length
  return { path, bytes, zipped, time: median(times), slowest: Math.max(...times) }
}

function reportOf(costs: readonly PageCost[]): string {
  const rows = costs.map(({ path, bytes, zipped, time, slowest }) => [
    decodeURIComponent(path),
    `${(bytes / 1000).toFixed(1)}${bytes > aims.bytes ? ' !' : ''}`,
    (zipped / 1000).toFixed(1),
    `${time.toFixed(1)}${time > (/^\/(search|\?|$)/.test(path) ? aims.fast : aims.time) ? ' !' : ''}`,
    slowest.toFixed(1),
  ])
  const heads = ['page', 'HTML, kB', 'gzip', 'time, ms', 'slowest']
  return `${table([heads, ...rows])}\n\n!: more than ${aims.bytes / 1000} kB, ${aims.time} ms, or ${aims.fast} ms for Track and search`
}
