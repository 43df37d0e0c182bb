import { afterAll, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import type { KindName } from '../../../src/catalogue/import/kinds/field'
import { kindOf } from '../../../src/catalogue/import/kinds/kinds'
import { KeptMergeLog } from '../../../src/catalogue/import/merge/merge-log'
import { moves } from '../../../src/catalogue/import/merge/moves'
import { mergeRows } from '../../../src/catalogue/import/merge/rows'
import { takeApart } from '../../../src/catalogue/import/merge/take-apart'
import { reindexRow } from '../../../src/catalogue/search/index-row'
import { catalogueStore, episode, work } from '../../support/catalogue-store'
import { rowsOfEverything } from '../../support/rows-of-everything'

const store = await catalogueStore()
afterAll(() => store.close())
const { handle } = store
const run = (sql: string) => handle.run(sql)

const [users, each] = [
  [1, 2, 3],
  [1, 2],
]
const { problems } = await store.load('pack', [
  ...['character', 'person', 'organization', 'channel', 'series', 'channel_group'].flatMap((type) =>
    each.map((n) => ({ type, key: `annict:${n}`, name: `${type} ${n}` })),
  ),
  ...each.flatMap((n) => [
    work(`annict:${n}`, {
      title: n === 1 ? 'Stays' : 'Goes',
      aliases: ['Both', `Only ${n}`],
      search_names: [`name ${n}`],
      series: ['annict:1', ...(n === 2 ? ['annict:2'] : [])],
      ids: n === 2 ? { mal: 5, syobocal: 6, anilist: 7 } : { anilist: 8 },
      streams: [
        { site: 'netflix', id: `${n}` },
        { site: 'danime', id: '1' },
      ],
    }),
    // 1 to 3 and 2 to 4: the middle is matched.
    ...[n, n + 1, n + 2].map((number) => episode(`annict:${n}${number}`, `annict:${n}`, number)),
    { type: 'cast', work: `annict:${n}`, character: 'annict:1', person: 'annict:1' },
    { type: 'cast', work: `annict:${n}`, character: 'annict:2', person: `annict:${n}` },
    { type: 'staff', work: `annict:${n}`, person: 'annict:1', role: 'music' },
    { type: 'staff', work: `annict:${n}`, organization: `annict:${n}`, role: 'studio' },
    {
      type: 'program',
      key: `annict:1${n}`,
      channel: 'annict:1',
      work: `annict:${n}`,
      episode: `annict:${n}2`,
      started_at: '2024-01-05T15:00:00Z',
    },
    {
      type: 'program',
      key: `annict:2${n}`,
      channel: `annict:${n}`,
      work: `annict:${n}`,
      started_at: '2024-01-05T15:00:00Z',
    },
  ]),
  work('annict:3', { episodes_estimate: 3 }),
])
if (problems.length > 0) throw new Error(JSON.stringify(problems))
for (const user of users)
  run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (${user}, 'u${user}', 'u${user}', 'u', 'e${user}', 'e${user}', 'none', 0)`)

run("update users set privacy = 'private' where id = 1")

/** A bit of everything that refers to a work, an episode or a person. User 1 has it of both works, 2 of the second alone. */
for (const [user, of] of [
  [1, 1],
  [1, 2],
  [2, 2],
  [3, 1],
] as const) {
  const at = user * 10 + of
  run(`insert into statuses (user_id, work_id, kind, changed_at) values (${user}, ${of}, 'watching', ${at})`)
  run(`insert into reviews (user_id, work_id, body, created_at) values (${user}, ${of}, 'b', ${at})`)
  run(
    `insert into activities (user_id, work_id, action, status_kind, created_at) values (${user}, ${of}, 'create_status', 'watching', ${at})`,
  )
  run(`insert into laps (user_id, work_id, number, started_at) values (${user}, ${of}, 2, ${at})`)
  run(`insert into notes (user_id, work_id, text, updated_at) values (${user}, ${of}, 'note ${of}', ${at})`)
  run(`insert into own_slots (user_id, work_id, weekday, minute, time_zone, begins_on, first_episode, changed_at)
    values (${user}, ${of}, 1, ${of}, 'Asia/Tokyo', '2024-01-01', 1, ${at})`)
  run(`insert into favorites (user_id, work_id, position, created_at) values (${user}, ${of}, 1, ${at})`)
  for (const column of ['character_id', 'person_id', 'organization_id'])
    run(`insert into favorites (user_id, ${column}, created_at) values (${user}, ${of}, ${at})`)
  run(`insert into user_channels (user_id, channel_id) values (${user}, ${of})`)
  run(`insert into images (kind, hash, work_id, user_id, origin, width, height, placeholder, created_at)
    values ('cover', '${String(at).repeat(16)}', ${of}, ${user}, 'upload', 1, 1, '', 0)`)
  run(`insert into former_images (kind, hash, work_id, user_id, origin, width, height, placeholder, created_at, replaced_at)
    values ('cover', '${String(at).repeat(16)}', ${of}, ${user}, 'upload', 1, 1, '', 0, 0)`)
  run(`insert into meetings (user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
    values (${user}, ${of}, 0, '', '', 1, 0, 0)`)
  const episodes = store.rows<{ id: number }>(
    `select id from episodes where work_id = ${of} order by sort_number`,
  )
  for (const { id } of episodes) {
    run(`insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
      values (${user}, ${of}, ${id}, 'c', 0, ${at})`)
    run(`insert into activities (user_id, work_id, action, record_id, created_at)
      values (${user}, ${of}, 'create_record', (select max(id) from records), ${at})`)
    run(`insert into skips (user_id, episode_id, lap, created_at) values (${user}, ${id}, 2, 0)`)
    run(
      `insert into notifications (user_id, kind, episode_id, began_at, created_at) values (${user}, 'episode', ${id}, 0, 0)`,
    )
    run(
      `insert into meeting_episodes (meeting_id, episode_id) values ((select max(id) from meetings), ${id})`,
    )
  }
  run(
    `insert into activities (user_id, work_id, action, created_at) values (${user}, ${of}, 'create_multiple_records', ${at})`,
  )
  run(`insert into activity_records (activity_id, record_id)
    select (select max(id) from activities), id from records where user_id = ${user} and work_id = ${of}`)
}
run("insert into cover_fetches (work_id, asked_at, outcome) values (2, 0, 'none')")
run(
  "insert into removed_parts (work_id, table_name, value) values (1, 'streams', 'a'), (2, 'streams', 'a'), (2, 'streams', 'b')",
)
for (const of of each)
  run(
    `insert into program_slots (work_id, channel_id, begins_on, at, created_at) values (${of}, ${of}, '2024-01-01', '10:00', 0)`,
  )
run(`insert into lists (id, user_id, name, visibility, created_at, updated_at)
  values (1, 1, 'both', 'public', 0, 0), (2, 2, 'second', 'public', 0, 0)`)
run(`insert into list_works (list_id, user_id, work_id, place, note, added_at)
  values (1, 1, 1, 2, 'one', 0), (1, 1, 2, 1, 'two', 0), (2, 2, 2, 1, '', 0)`)

run('update statuses set private = 1 where user_id = 2')

let change = 0
function beginChange(): number {
  run(
    `insert into catalogue_changes (id, kind, work_id, subject_kind, subject_id, created_at) values (${++change}, 'merge', 0, 'work', 1, 0)`,
  )
  return change
}

function merge(kind: KindName, from: number, to: number): number {
  const id = beginChange()
  const log = new KeptMergeLog(handle, () => id)
  handle.transaction(() => {
    for (const _ of mergeRows(handle, kindOf[kind], { from, to }, { log }));
    reindex(kind, from, to)
  })()
  return id
}

function part(id: number, kind: KindName): void {
  handle.transaction(() => {
    for (const _ of takeApart(handle, id));
    reindex(kind, 1, 2)
  })()
}

function reindex(kind: KindName, ...ids: readonly number[]): void {
  const { search } = kindOf[kind]
  if (search !== undefined) for (const id of ids) reindexRow(handle, search, id)
}

/** Everything but what only rises, what follows and the logs themselves. */
const state = () =>
  rowsOfEverything(handle, {
    except: [/^catalogue_/, /search/, 'import_rows', 'sqlite_sequence', 'activity_deletions'],
  })

function expectSound(): void {
  expect(findDrift(handle)).toEqual([])
  expect(searchDrift(handle)).toEqual([])
  expect(store.rows('pragma foreign_key_check')).toEqual([])
}

test('D97 the undo of a merge puts back every row that any table has of either, whatever became of it', () => {
  const before = state()
  const id = merge('work', 2, 1)
  expectSound()
  expect(state()).not.toEqual(before)
  const logged = new Set(
    store
      .rows(`select distinct table_name || '.' || column_name as name from catalogue_moves`)
      .map(({ name }) => String(name)),
  )
  const missing = [...(moves.work ?? []), ...(moves.episode ?? [])]
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !logged.has(name))
  // What a table of this list has was seen to move: give rows of new tables above.
  expect(missing).toEqual([])
  part(id, 'work')
  expect(state()).toEqual(before)
  expectSound()
  expect(store.rows('select * from catalogue_moves')).toEqual([])
})

test.each(['person', 'organization', 'character', 'series', 'channel', 'episode'] as const)(
  'D97 the same of a merged %s',
  (kind) => {
    const before = state()
    const id = merge(kind, 2, 1)
    expect(state()).not.toEqual(before)
    expectSound()
    part(id, kind)
    expect(state()).toEqual(before)
    expectSound()
  },
)
