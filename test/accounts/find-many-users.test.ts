import { afterAll, expect, test } from 'bun:test'
import { findUsers } from '../../src/accounts/find-users'
import { indexNames } from '../../src/accounts/name-index'
import { openStore } from '../../src/db/open'
import { openCopy } from '../support/database-copy'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
const store = openStore(directory.path, await openCopy(directory.path))
const { handle, read, write } = store
afterAll(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

const beginning = 1010
const deleted = 20

const add =
  handle.query(`insert into users (id, username, username_key, name, email, password_hash, records_count, created_at)
  values (?1, 'u' || ?1, 'u' || ?1, ?2, '', '', ?3, 1)`)
handle.transaction(() => {
  for (let id = 1; id <= beginning; id++) add.run(id, `か${id}`, id)
  for (let id = 2001; id <= 2300; id++) add.run(id, `あか${id}`, 3000 + id)
  handle.run(
    'insert into deletions (user_id, keeps_comments, begun_at) select id, 1, 1 from users where id <= ?',
    [deleted],
  )
})()
await write(indexNames)

/** Ids in descending order. */
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)

test('names that only contain the text follow if some of a thousand beginning with it are being deleted', async () => {
  const last = 1000 - (beginning - deleted)
  expect(await findUsers(read, 'か')).toEqual([...down(beginning, deleted + 1), ...down(2300, 2301 - last)])
})

test('with equal numbers of records, the lower id comes first, even if its name is not indexed yet', async () => {
  handle.run("update users set name = 'か1', records_count = 700 where id = 500")
  const found = await findUsers(read, 'か')
  expect(found.slice(beginning - 701, beginning - 698)).toEqual([701, 500, 700])
})
