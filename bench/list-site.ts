import { passwordCost } from '../src/accounts/account/password'
import { type ApiCall, createShared, type Endpoint } from '../src/api/endpoint'
import { openHandle, openStore, readsOf } from '../src/db/open'
import type { Deps } from '../src/deps'
import { internet } from '../src/fetching/outside'
import { configOf } from './config'
import { candidatesIn } from './list-values'

export interface ListInstance extends AsyncDisposable {
  /** Has everything that was kept read again, as after a write. */
  forget(): void
  /** Bypasses the answer cache: every page is found and assembled again. */
  ask(list: Endpoint, params: Params): Promise<string>
  total(list: Endpoint, params: Params): Promise<number>
  candidates(list: Endpoint, filter: string): Promise<readonly string[]>
}

export type Params = Readonly<Record<string, string>>

/** The caller is the user with the most rows. */
export function openInstance(data: string): ListInstance {
  const handle = openHandle(data)
  const store = openStore(data, handle)
  const deps = depsOn(store, data)
  const { renderer } = createShared(deps)
  const candidatesOf = candidatesIn(handle)
  const viewer = {
    userId: busiest(handle),
    tokenId: 1,
    applicationId: null,
    scopes: ['read'],
    expiresAt: null,
    lastUsedAt: null,
    hasBlock: false,
  }
  const ask = async (list: Endpoint, params: Params) => {
    const sent = new Map(Object.entries(params))
    const call: ApiCall = { deps, renderer, viewer, sent, at: 0, bodies: noCache }
    return (await list.answer(call)).text()
  }
  const read = async (list: Endpoint, params: Params) => JSON.parse(await ask(list, params))
  const ids = async (list: Endpoint) => {
    const { total_count } = await read(list, { per_page: '1' })
    const pages = [1, Math.ceil(total_count / 100), Math.ceil(total_count / 50)]
    const bodies = pages.map((page) => read(list, { per_page: '50', page: String(page || 1), fields: 'id' }))
    return (await Promise.all(bodies)).map((body) => idsIn(body).join(','))
  }
  return {
    forget: () => store.generations.committed('any'),
    ask,
    total: async (list, params) => (await read(list, { ...params, per_page: '1', fields: 'id' })).total_count,
    candidates: async (list, name) => (name === 'filter_ids' ? ids(list) : candidatesOf(list, name)),
    [Symbol.asyncDispose]: () => store.close(),
  }
}

const noCache: ApiCall['bodies'] = {
  get: () => undefined,
  peek: () => undefined,
  set: () => {},
  usage: () => ({ bytes: 0, capacity: 0, entries: 0, hits: 0, misses: 0 }),
}

const idsIn = (body: object): readonly number[] =>
  (Object.values(body).find(Array.isArray) ?? []).map(({ id }: { id: number }) => id)

export const depsOn = (store: ReturnType<typeof openStore>, data: string): Deps => ({
  ...readsOf(store),
  write: store.write,
  generations: store.generations,
  storage: store.storage,
  wallClock: store.wallClock,
  config: configOf(data),
  now: Date.now,
  steady: () => performance.now(),
  outside: internet,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  passwordCost,
  log: () => {},
  isStopping: () => false,
  mail: undefined,
  metrics: undefined,
})

export function busiest(handle: ReturnType<typeof openHandle>): number {
  const [row] = handle
    .query<{ id: number }, []>(
      `select id from users
       order by records_count + watched_count + watching_count + 10 * followings_count + notifications_count desc limit 1`,
    )
    .all()
  if (row === undefined) throw new Error('an instance without users')
  return row.id
}
