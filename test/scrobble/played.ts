import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import type { Store } from '../../src/db/open'
import { createHook, type HookOptions, hookDefaults } from '../../src/scrobble/hooks'
import type { Player } from '../../src/scrobble/report'
import { bytesOf, textOf } from '../support/catalogue-store'
import { type Body, createInstance, type Instance } from '../support/instance'
import { anime, estimated } from '../transfer/match/catalogue'

/** An instance whose users `mio` and `ritsu` have players. */
export interface PlayedInstance {
  readonly kiroku: Instance
  /** The address of a new hook of `mio`. */
  address(options?: Partial<HookOptions>, player?: Player): Promise<string>
  post(url: string, body: unknown): Promise<Response>
  told(url: string, body: unknown): Promise<Body>
  all(sql: string): Body[]
  /** Of recorded episodes, in the order of their records. */
  numbers(): readonly number[]
  api(method: string, path: string, body?: object): Promise<Response>
  /** Everything but users and the catalogue. */
  forget(): void
}

export async function playedInstance(): Promise<PlayedInstance> {
  const kiroku = await createInstance({ seed: plays, config: { rateLimit: 1200 } })
  const { handle } = kiroku.store
  const all = (sql: string): Body[] => handle.query(sql).all()
  const post: PlayedInstance['post'] = (url, body) =>
    kiroku.ask(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  return {
    kiroku,
    post,
    all,
    address: async (options = {}, player = 'generic') => {
      const hook = { ...hookDefaults, name: 'test', player, ...options }
      return (await createHook({ ...kiroku.deps, baseUrl: '' }, 1, hook)).url
    },
    told: async (url, body) => await (await post(url, body)).json(),
    numbers: () =>
      all('select number from records join episodes on episodes.id = episode_id order by records.id').map(
        ({ number }) => Number(number),
      ),
    api: (method, path, body = {}) =>
      kiroku.get(path, {
        method,
        ...(method !== 'GET' && {
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json' },
        }),
      }),
    forget: () => {
      const written = [
        'deliveries',
        'activities',
        'records',
        'reviews',
        'statuses',
        'changes',
        'list_choices',
      ]
      for (const table of [...written, 'acts', 'laps', 'left_out_series', 'hooks'])
        handle.run(`delete from ${table}`)
    },
  }
}

async function plays(store: Store): Promise<void> {
  const works = [
    anime(1, '旅の記録', { ids: { mal: 1001, tmdb: 'tv/100' }, ...estimated(12, '2018-04-01') }),
    anime(10, '長い物語', { ids: { mal: 1010, tmdb: 'tv/200' }, ...estimated(220, '2002-10-03') }),
    anime(20, '雨の映画', { media: 'movie', ids: { tmdb: 'movie/600' }, season_name: '2016-summer' }),
  ]
  await importCatalogue(store, bytesOf(textOf('annict', works)), { now: Date.UTC(2026, 0) })
  for (const name of ['mio', 'ritsu'])
    await store.write((tx) =>
      tx
        .insertInto('users')
        .values({
          ...{
            username: name,
            username_key: name,
            name: '',
            email: `${name}@x.jp`,
            email_key: `${name}@x.jp`,
          },
          ...{ password_hash: 'none', created_at: 1 },
        })
        .execute(),
    )
}

export const firstPlay = { ids: { mal: 1001 }, episode: 1 }
