import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { updateProfile } from '../../src/accounts/account/profile'
import { findUsers } from '../../src/accounts/find-users'
import { namesDrift, repairNames } from '../../src/accounts/name-drift'
import { indexNames } from '../../src/accounts/name-index'
import { examine } from '../../src/cli/examine'
import { openUpgraded, upgrade } from '../../src/cli/open'
import { migrate } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { openHandle, openStore, prepareDirectory } from '../../src/db/open'
import { fold, withoutMarks } from '../../src/lib/fold'
import { openCopy } from '../support/database-copy'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
const store = openStore(directory.path, await openCopy(directory.path))
const { handle, read, write } = store
afterAll(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

interface User {
  readonly id: number
  readonly username_key: string
  readonly name: string
  readonly records_count: number
}

const add =
  handle.query(`insert into users (username, username_key, name, email, password_hash, records_count, created_at)
  values (?1, ?1, ?2, '', '', ?3, 1) on conflict do nothing`)

/** The results of a search that compares all names one by one. */
function scan(query: string): readonly number[] {
  const keyOf = (text: string) => withoutMarks(fold(text)) || fold(text)
  const sought = keyOf(query)
  const ways = [
    (key: string) => key === sought,
    (key: string) => key.startsWith(sought),
    (key: string) => key.includes(sought),
  ]
  const rankOf = (key: string) => ways.findIndex((holds) => holds(key)) >>> 0
  return handle
    .query<User, []>(
      'select id, username_key, name, records_count from users where id not in (select user_id from deletions)',
    )
    .all()
    .map((user) => ({ ...user, rank: Math.min(rankOf(keyOf(user.username_key)), rankOf(keyOf(user.name))) }))
    .filter(({ rank }) => sought !== '' && rank < 3)
    .sort(
      (one, other) => one.rank - other.rank || other.records_count - one.records_count || one.id - other.id,
    )
    .slice(0, 1000)
    .map(({ id }) => id)
}

const letters = fc.constantFrom(...'aあアァんンの田中★☆ ー〜~é\u3099ﾞ🎌_1z')
const names = fc.array(letters, { minLength: 1, maxLength: 6 }).map((some) => some.join(''))
const queries = fc.array(letters, { minLength: 1, maxLength: 2 }).map((some) => some.join(''))
const usernames = fc.stringMatching(/^[a-c_1]{1,4}$/)
const picked = fc.nat({ max: 30 })

const changes = fc.oneof(
  fc.record({ act: fc.constant('add' as const), username: usernames, name: names, records: fc.nat(3) }),
  fc.record({ act: fc.constant('call' as const), at: picked, name: names }),
  fc.record({ act: fc.constant('rename' as const), at: picked, username: usernames }),
  fc.record({ act: fc.constantFrom('record', 'leave', 'delete', 'profile'), at: picked }),
  fc.record({ act: fc.constant('index' as const) }),
)

async function apply(change: typeof changes extends fc.Arbitrary<infer C> ? C : never): Promise<void> {
  const user =
    'at' in change
      ? handle
          .query<{ id: number }, [number]>(
            'select id from users order by id limit 1 offset ? % max(1, (select count(*) from users))',
          )
          .get(change.at)
      : null
  const id = user?.id ?? 0
  if (change.act === 'add') add.run(change.username, change.name, change.records)
  else if (change.act === 'call') handle.run('update users set name = ? where id = ?', [change.name, id])
  else if (change.act === 'rename')
    handle.run('update or ignore users set username = ?1, username_key = ?1 where id = ?2', [
      change.username,
      id,
    ])
  else if (change.act === 'index') await write(indexNames)
  else if (change.act === 'record')
    handle.run('update users set records_count = records_count + 2 where id = ?', [id])
  else if (change.act === 'delete') handle.run('delete from users where id = ?', [id])
  else if (change.act === 'profile') {
    if (user !== null) await updateProfile({ write }, id, { name: `の${id}`, description: '', url: '' })
  } else
    handle.run(
      'insert into deletions (user_id, keeps_comments, begun_at) select id, 1, 1 from users where id = ? on conflict do nothing',
      [id],
    )
}

test('a search finds the same users as comparing all names one by one, whatever was written before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(changes, { maxLength: 40 }),
      fc.array(queries, { maxLength: 8 }),
      async (acts, texts) => {
        handle.run('delete from users')
        for (const act of acts) await apply(act)
        for (const text of texts) expect([text, await findUsers(read, text)]).toEqual([text, [...scan(text)]])
        expect(namesDrift(handle)).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})

test('the first thousand are found: exact names before names that begin with the text', async () => {
  handle.run('delete from users')
  for (let n = 0; n < 2300; n++) add.run(`a${n}`, ['んん', 'あん', 'ん'][n % 3] ?? '', (n * 7) % 50)
  for (const indexed of [false, true]) {
    if (indexed) await write(indexNames)
    for (const text of ['ん', 'んん', 'あ', 'a', 'a1', 'a17', 'an']) {
      const found = await findUsers(read, text)
      expect([text, found]).toEqual([text, [...scan(text)]])
    }
  }
  expect((await findUsers(read, 'ん')).length).toBe(1000)
  expect(handle.query('select 1 from unindexed_users').all()).toEqual([])
})

test('a wrong name index is noticed and repaired', async () => {
  handle.run('delete from users')
  for (const name of ['mio', 'ritsu', 'mugi']) add.run(name, name, 0)
  await write(indexNames)
  const [{ id = 0 } = {}] = handle
    .query<{ id: number }, []>("select id from users where name = 'ritsu'")
    .all()
  handle.run('delete from users_search where rowid = ?', [id])
  handle.run("update users_search set grams = '0061' where rowid = ?", [id + 1])
  handle.run("insert into users_search (rowid, grams) values (?, '0061')", [id + 9])
  const found = examine(handle, 'deep').filter(({ kind }) => kind === 'search')
  expect(found.map(({ message }) => message)).toEqual(
    [id, id + 1, id + 9].map((user) => `users ${user} is not found by its own names`),
  )
  await repairNames(handle)
  expect(namesDrift(handle)).toEqual([])
  expect(await findUsers(read, 'itsu')).toEqual([id])
  expect(await findUsers(read, 'a')).toEqual([])
})

test('users in a database from before the index are in it after the upgrade', async () => {
  using directory = temporaryDirectory()
  prepareDirectory(directory.path)
  const older = openHandle(directory.path)
  await migrate(older, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0020')))
  older.run(`insert into users (id, username, username_key, name, email, password_hash, created_at)
    values (7, 'Mio', 'mio', '秋山澪', '', '', 1)`)
  older.close()
  expect((await upgrade(directory.path, Date.now)).applied).toContain('0020_user_search')
  const upgraded = openUpgraded(directory.path)
  expect(upgraded.handle.query('select 1 from unindexed_users').all()).toEqual([])
  expect(await findUsers(upgraded.read, '山')).toEqual([7])
  expect(namesDrift(upgraded.handle)).toEqual([])
  await upgraded.close()
})
