import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Read } from '../../src/db/open'
import type { StreamActivity } from '../../src/viewing/activity/entries'
import { pageOfEntries, type StreamOf } from '../../src/viewing/activity/stream'
import { createInstance, type Instance, start } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

/** Their streams are random. Some have a private profile, or are disabled; mio mutes or blocks some, and follows others. */
const people = 10_000
const firstPerson = 1000
const mio = 1
const kinds = ['apart', 'hidden', 'disabled', 'muted', 'blocked', 'followed'] as const
type Kind = (typeof kinds)[number] | 'plain'
const kindOf = (user: number): Kind => kinds[user % 40] ?? 'plain'

type Row = Omit<StreamActivity, 'id'> & { readonly private: number }

let random = 20261124
const upTo = (most: number) => {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((random / 2_147_483_648) * most)
}
const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] as T

const minute = 60_000
const gaps = [1, 60, 61, 360, 361, -10, ...Array(10).fill(1440)]
const actions = [
  'create_record',
  'create_multiple_records',
  'create_status',
  'create_record',
  'create_review',
]

/** A few streams are long runs, which are told in several entries. */
function streamOf(user: number): readonly Row[] {
  const isRun = user % 2500 === 7
  let at = start - upTo(1000) * 1440 * minute
  return Array.from({ length: isRun ? 250 : 1 + upTo(5) }, () => {
    at += (isRun ? 10 : oneOf(gaps)) * minute
    const action = isRun && upTo(20) > 0 ? 'create_record' : (oneOf(actions) as Row['action'])
    return {
      user_id: user,
      work_id: isRun ? 1 : 1 + upTo(2),
      action,
      record_id: action === 'create_record' ? 1 : null,
      review_id: action === 'create_review' ? 1 : null,
      status_kind: action === 'create_status' ? oneOf(['watching', 'watched'] as const) : null,
      created_at: at,
      meeting_id: null,
      private: Number(upTo(10) === 0 && action === 'create_status'),
    }
  })
}

let kiroku: Instance
/** Everything in the table, oldest first. */
let rows: readonly (Row & { readonly id: number })[]
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  const { handle } = kiroku.store
  const streams = Array.from({ length: people }, (_, at) => [...streamOf(firstPerson + at)])
  const turns = streams.flatMap((stream, at) => stream.map(() => at))
  for (let at = turns.length - 1; at > 0; at -= 1) {
    const other = upTo(at + 1)
    ;[turns[at], turns[other]] = [turns[other] ?? 0, turns[at] ?? 0]
  }
  handle.run('delete from activities')
  handle.transaction(() => {
    const user = handle.query(
      `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at, privacy, disabled_at)
       values (?1, 'p' || ?1, 'p' || ?1, '', 'p' || ?1, 'p' || ?1, '', 1, ?2, ?3)`,
    )
    const follow = handle.query('insert into follows (follower_id, followed_id, created_at) values (1, ?, 1)')
    const mute = handle.query('insert into mutes (user_id, muted_id, created_at) values (1, ?, 1)')
    const block = handle.query('insert into blocks (user_id, blocked_id, created_at) values (1, ?, 1)')
    for (let id = firstPerson; id < firstPerson + people; id += 1) {
      const kind = kindOf(id)
      user.run(id, kind === 'hidden' ? 'private' : 'members', kind === 'disabled' ? 1 : null)
      if (kind === 'muted') mute.run(id)
      if (kind === 'blocked') block.run(id)
      if (kind === 'followed' || kind === 'muted') follow.run(id)
    }
    const told = handle.query<{ id: number }, (string | number | null)[]>(
      `insert into activities (user_id, work_id, action, record_id, review_id, status_kind, created_at, private)
       values (?, ?, ?, ?, ?, ?, ?, ?) returning id`,
    )
    rows = turns.flatMap((at) => {
      const row = streams[at]?.shift()
      const { meeting_id: _, ...cells } = row ?? {}
      const id = row && told.all(...Object.values(cells))[0]?.id
      return row === undefined || id === undefined ? [] : [{ ...row, id }]
    })
  })()
})
afterAll(() => kiroku.close())

const isSeen = (row: Row) =>
  row.private === 0 && !['hidden', 'disabled', 'muted', 'blocked'].includes(kindOf(row.user_id))

type Seen = (typeof rows)[number]

/** The rule as it is written down, for each activity by itself: the one before it that it is told with. */
function entriesBySentence(stream: readonly Seen[]): string[] {
  const within = (gap: number, one: Seen, other: Seen) =>
    Math.abs(one.created_at - other.created_at) <= gap * minute
  const isRecord = ({ action }: Seen) => /_records?$/.test(action)
  const told = new Map<number, number[]>()
  stream.forEach((row, at) => {
    let with_: Seen | undefined
    const before = stream[at - 1]
    if (row.action === 'create_status' && before?.status_kind === row.status_kind && within(60, row, before))
      with_ = before
    if (isRecord(row))
      for (let back = at - 1; back >= 0 && with_ === undefined; back -= 1) {
        const [one, next] = [stream[back] as Seen, stream[back + 1] as Seen]
        if (one.work_id !== row.work_id || !within(360, one, next)) break
        if (isRecord(one)) {
          if (within(360, one, row)) with_ = one
          break
        }
      }
    const entry = with_ && told.get(with_.id)
    if (entry === undefined || entry.length === 100) told.set(row.id, [row.id])
    else {
      entry.push(row.id)
      told.set(row.id, entry)
    }
  })
  return [...new Set(told.values())].map((ids) => ids.toReversed().join())
}

const expected = (shown: readonly Seen[]) =>
  [...Map.groupBy(shown, ({ user_id }) => user_id).values()].flatMap(entriesBySentence)

const newestOf = (entry: string) => Number(entry.split(',')[0])

/** All pages, from the first to the last. */
async function allPages(read: Read, whose: StreamOf, limit: number): Promise<string[]> {
  const entries: string[] = []
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const page = await pageOfEntries(read, whose, { before, limit })
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    entries.push(...page.entries.map((entry) => entry.map(({ id }) => id).join()))
    before = page.next
  }
  return entries
}

describe('the entries of all pages partition what may be seen, each at its newest activity', () => {
  const inOrder = (entries: readonly string[]) =>
    entries.toSorted((one, other) => newestOf(other) - newestOf(one))

  test('of everybody: 10,000 random streams', async () => {
    const seen = rows.filter(isSeen)
    const entries = await allPages(kiroku.deps.crowdAs(mio), { everyone: true }, 60)
    expect(entries).toEqual(inOrder(expected(seen)))
    expect(entries.flatMap((entry) => entry.split(',').map(Number)).sort((a, b) => a - b)).toEqual(
      seen.map(({ id }) => id),
    )
    const lengths = entries.map((entry) => entry.split(',').length)
    expect(Math.max(...lengths)).toBe(100)
    expect(lengths.filter((length) => length > 1).length).toBeGreaterThan(1000)
  }, 300_000)

  test.each([3, 30])(
    'of those whom one follows, %d to a page',
    async (limit) => {
      const seen = rows.filter((row) => isSeen(row) && kindOf(row.user_id) === 'followed')
      expect(await allPages(kiroku.deps.crowdAs(mio), { following: mio }, limit)).toEqual(
        inOrder(expected(seen)),
      )
    },
    60_000,
  )

  test('of one person, whose run is longer than an entry', async () => {
    const person = 2507
    const seen = rows.filter((row) => row.user_id === person && row.private === 0)
    expect(seen.length).toBeGreaterThan(200)
    expect(await allPages(kiroku.deps.readAs(mio), { person }, 1)).toEqual(inOrder(expected(seen)))
  })

  test('of nobody, who follows nobody', async () => {
    expect(await allPages(kiroku.deps.crowdAs(2), { following: 2 }, 30)).toEqual([])
  })
})
