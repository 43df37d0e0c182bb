import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHook, hookDefaults } from '../../src/scrobble/hooks'
import type { Player } from '../../src/scrobble/report'
import { defaultCatalogue, isBuilt } from '../support/default-catalogue'
import { createInstance, type Instance } from '../support/instance'

// Made up for kiroku (CC0), in the forms that the players send.
interface ExpectedRequest {
  readonly player: Player
  readonly body: string
  readonly content_type: string
  readonly path?: string
  readonly after?: string
  readonly expect: {
    readonly http?: number
    readonly result?: string
    readonly reason?: string
    readonly work_id?: number
    readonly episode?: number | null
    readonly episodes?: readonly number[]
    readonly status?: string
    readonly rating_state?: string
    readonly candidate?: { readonly work_id: number; readonly episode?: number }
  }
}

const { requests, user }: { requests: readonly ExpectedRequest[]; user: string } = JSON.parse(
  readFileSync(join(import.meta.dir, 'requests.json'), 'utf8'),
)

const bodyOf = (name: string) =>
  name === 'bodies/generic-bad-too-large.bin'
    ? `{"title":"${'x'.repeat(1_100_000)}"}`
    : readFileSync(join(import.meta.dir, name))

let instance: Instance
beforeAll(async () => {
  if (isBuilt) instance = await createInstance({ data: await defaultCatalogue() })
}, 120_000)
afterAll(() => instance?.close())

const owner = () =>
  instance.deps.read.selectFrom('users').select('id').where('username', '=', 'mio').executeTakeFirstOrThrow()

async function addressFor(player: Player): Promise<string> {
  const { id } = await owner()
  const options = { ...hookDefaults, name: 'test', playerUser: user, player }
  const { url } = await createHook({ ...instance.deps, baseUrl: '' }, id, options)
  return url
}

const send = (url: string, { content_type, path = '' }: ExpectedRequest, body: string) =>
  instance.ask(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': content_type },
    body: bodyOf(body),
  })

const handle = () => instance.store.handle

interface Written {
  readonly work_id: number
  readonly number: string | null
  readonly rating_state: string | null
}

const written = () =>
  handle()
    .query<Written, []>(
      `select records.work_id, number, rating_state from records join episodes on episodes.id = episode_id
       union all select work_id, null, null from reviews`,
    )
    .all()

test.skipIf(!isBuilt).each(requests.map((request) => [request.body, request] as const))(
  'what a player sends is recorded as expected, waits, or is ignored: %s',
  async (_, request) => {
    const { expect: wanted } = request
    handle().run('delete from deliveries; delete from activities; delete from records; delete from reviews')
    handle().run('delete from statuses; delete from changes; delete from acts; delete from laps')
    const url = await addressFor(request.player)
    if (request.after !== undefined) await send(url, request, request.after)
    const before = written().length
    const answer = await send(url, request, request.body)
    const trakt = wanted.result === 'recorded' || wanted.reason === 'not_completed' ? 201 : 200
    expect(answer.status).toBe(wanted.http ?? (request.player === 'trakt' ? trakt : 200))
    const said = await answer.json()
    if (wanted.http !== undefined) return expect(written()).toHaveLength(before)
    const episodes = wanted.episodes ?? (wanted.episode == null ? [] : [wanted.episode])
    expect(said).toMatchObject({
      result: wanted.result,
      ...(wanted.reason !== undefined && { reason: wanted.reason }),
      ...(wanted.work_id !== undefined && { work_id: wanted.work_id, episode: episodes[0] ?? null }),
    })
    const rows = written()
    const isNew = wanted.result === 'recorded'
    expect(rows).toHaveLength(before + (isNew ? Math.max(1, episodes.length) : 0))
    if (isNew)
      expect(rows.map((row) => [row.work_id, row.number])).toEqual(
        (episodes.length > 0 ? episodes : [null]).map((n) => [
          wanted.work_id ?? 0,
          n === null ? null : String(n),
        ]),
      )
    if (wanted.rating_state !== undefined) expect(rows[0]?.rating_state).toBe(wanted.rating_state)
    if (isNew)
      expect(handle().query('select work_id, kind from statuses').all()).toEqual([
        { work_id: wanted.work_id, kind: wanted.status ?? 'watching' },
      ])
    if (wanted.candidate === undefined) return
    const kept = handle().query<{ proposals: string }, []>('select proposals from deliveries').get()
    expect(JSON.parse(kept?.proposals ?? '[]')).toContainEqual(wanted.candidate)
  },
)
