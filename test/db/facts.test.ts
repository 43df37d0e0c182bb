import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { counters } from '../../db/facts/counters'
import { versioned } from '../../db/facts/versions'
import { audiences, levelUpdate } from '../../db/facts/withheld'
import { declaredTriggers, triggersText } from '../../db/triggers/text'
import { newestTriggers } from '../../scripts/triggers'
import { findDrift } from '../../src/catalogue/counters/recount'
import { migrate } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
afterAll(kiroku.close)

const columns = handle
  .query<{ table: string; name: string }, []>(
    `select t.name as "table", c.name from pragma_table_list as t, pragma_table_xinfo(t.name) as c
     where t.schema = 'main' and t.type = 'table' order by 1, 2`,
  )
  .all()
const having = (pattern: RegExp) => columns.filter(({ name }) => pattern.test(name))

test('every table with a version increases it, and every column that counts rows is a counter', () => {
  expect(having(/^version$/).map(({ table }) => table)).toEqual([...versioned].toSorted())
  // Annict has the first, and nothing here increases it; uses of an invitation have no rows.
  const others = ['reviews.impressions_count', 'invitations.used_count']
  const named = having(/_count$/).map(({ table, name }) => `${table}.${name}`)
  expect(named.filter((name) => !others.includes(name))).toEqual(
    counters.map(({ table, column }) => `${table}.${column}`).toSorted(),
  )
})

const triggersOf = (database: Database) =>
  database
    .query<{ name: string; sql: string }, []>(
      "select name, sql from sqlite_schema where type in ('trigger', 'view') order by name",
    )
    .all()
const printed = Object.entries(migrations)
  .filter(([name]) => name.endsWith('_triggers'))
  .map(([, text]) => text)
const declared = declaredTriggers()
const statements = declared.flatMap((section) => section.statements)
const nameOf = (sql: string) => /^create \w+ (\w+)/i.exec(sql)?.[1] ?? ''
const section = (about: string, ...texts: string[]) => ({ about, statements: texts })

test('the migrations leave exactly the declared triggers, so that nothing is printed', () => {
  expect(triggersText(handle, printed)).toBe('')
})

test('triggers that a later migration lacks are printed into a file after it', async () => {
  const later = { ...migrations, '9000_later': 'drop trigger episodes_counts_insert;' }
  const { file, text } = await newestTriggers(later)
  expect(file).toBe('db/migrations/9001_triggers.sql')
  expect(text.match(/^(?:create|drop) .*/gm)).toHaveLength(1)
})

test('a new release prints only the triggers that differ from those of the last one', async () => {
  using database = new Database(':memory:')
  await migrate(database)
  const before = triggersOf(database)
  const added = 'create trigger works_noted after delete on works begin\n  select 1;\nend;\n'
  const [changed = '', removed = '', ...others] = statements
  const other = changed.replace(/end;\n$/, '  select 1;\nend;\n')
  const next = [section('Counts.', other, added), section('Others.', ...others)]
  const text = triggersText(database, printed, next)
  const places = printed.join('\n')
  const [first = '', second = ''] = [changed, removed]
    .map(nameOf)
    .toSorted((one, other) => places.lastIndexOf(` ${one} `) - places.lastIndexOf(` ${other} `))
  expect(text.split('\n').slice(1).join('\n')).toBe(
    `\ndrop trigger ${first};\ndrop trigger ${second};\n\n-- Counts.\n\n${other}\n${added}`,
  )
  database.exec(text)
  expect(triggersText(database, [...printed, text], next)).toBe('')
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).toSorted()
  const expected = [...before.filter(({ name }) => name !== nameOf(removed)), { name: 'works_noted' }]
  expect(names(triggersOf(database))).toEqual(names(expected))
  database.exec(triggersText(database, [...printed, text]))
  expect(triggersOf(database)).toEqual(before)
})

const id = fc.integer({ min: 1, max: 3 })
const text = fc.constantFrom('', 'a', 'b')
const flag = fc.constantFrom(0, 1)
const written: readonly (readonly [string, ...fc.Arbitrary<number | string | null>[]])[] = [
  ['update records set user_id = ?, episode_id = ?, comment = ? where id = ?', id, id, text, id],
  ['update reviews set user_id = ?, work_id = ?, body = ? where id = ?', id, id, text, id],
  ['update activities set user_id = ? where id = ?', id, id],
  ['update likes set user_id = ?, record_id = ?, review_id = null where id = ?', id, id, id],
  ['update likes set user_id = ?, record_id = null, review_id = ? where id = ?', id, id, id],
  ['insert into favorites (user_id, person_id, created_at) values (?, ?, 0)', id, id],
  ['update favorites set person_id = null, character_id = ? where person_id = ?', id, id],
  ['update follows set follower_id = ?, followed_id = ? where id = ?', id, id, id],
  ['update notifications set user_id = ?, read_at = ? where id = ?', id, fc.constantFrom(null, 1), id],
  [
    'update statuses set user_id = ?, work_id = ?, kind = ? where user_id = ? and work_id = ?',
    ...[id, id, fc.constantFrom('watching', 'on_hold'), id, id],
  ],
  ['update staffs set work_id = ?, person_id = ?, organization_id = null where id = ?', id, id, id],
  ['update records set private = ?, hidden_by = ? where id = ?', flag, fc.constantFrom(null, 1), id],
  ['update reviews set private = ?, hidden_by = ? where id = ?', flag, fc.constantFrom(null, 1), id],
  ['update statuses set private = ?, hidden_by = ? where user_id = ?', flag, fc.constantFrom(null, 1), id],
  ['update activities set private = ? where id = ?', flag, id],
  // The one about several records.
  ['insert into activity_records (activity_id, record_id) values (5, ?)', id],
  ['delete from activity_records where activity_id = 5 and record_id = ?', id],
  ['delete from activity_records where activity_id = 5 and record_id > ?', id],
  ...['records', 'reviews', 'activities', 'favorites', 'follows'].map(
    (table) => [`delete from ${table} where id = ?`, id] as const,
  ),
  // As the move to another level leaves it in the end.
  ...['private', 'members'].map(
    (privacy) => [`update users set privacy = '${privacy}' where id = ?`, id] as const,
  ),
  [
    `insert into records (user_id, work_id, episode_id, watched_at, created_at, private, withheld)
     select ?, work_id, id, 0, 0, ?, ? from episodes limit 1`,
    ...[id, flag, fc.constantFrom(0, 1, 2)],
  ],
  ['update staffs set work_id = ?, person_id = null, organization_id = ? where id = ?', id, id, id],
]
const steps = fc.array(
  fc.oneof(...written.map(([sql, ...values]) => fc.tuple(fc.constant(sql), fc.tuple(...values)))),
  { maxLength: 12 },
)

test('D40, D74 counters and levels follow any change of what they count, even of several columns at once', () => {
  fc.assert(
    fc.property(steps, (asked) => {
      handle.run('begin')
      for (const [sql, values] of asked) {
        try {
          handle.run(sql.replace(/^(insert|update)/, '$1 or ignore'), values)
        } catch (cause) {
          // What it refers to was deleted by a step before.
          if (!/FOREIGN KEY/.test(String(cause))) throw cause
        }
        if (!sql.startsWith('update users set privacy')) continue
        for (const audience of audiences)
          for (const person of audience.people) handle.run(levelUpdate(audience, person), values)
      }
      const found = findDrift(handle)
      handle.run('rollback')
      expect(found).toEqual([])
    }),
    { numRuns: 300 },
  )
}, 60_000)
