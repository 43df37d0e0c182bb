import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { databasePath } from '../../src/db/open'
import { type Directory, type Server, startServer } from './kiroku'
import type { Found, Ledger } from './ledger'
import { foundIn } from './ledger-desks'

/** Starts the server and immediately checks that everything acknowledged exists. */
export async function startAgain(directory: Directory, ledger: Ledger, token: string): Promise<Server> {
  await using unlessFine = new AsyncDisposableStack()
  const server = unlessFine.use(await startServer(directory, ['--rate-limit', 'off']))
  const found = foundIn(databasePath(directory.file('data')))
  expect(ledger.faults(found)).toEqual([])
  expect(withoutActivity(directory)).toEqual([])
  await expectAnswered(server, token, found)
  unlessFine.move()
  return server
}

/** Records and reviews without the one activity they were created with. */
function withoutActivity(directory: Directory): unknown[] {
  using handle = new Database(databasePath(directory.file('data')), { readonly: true })
  return handle
    .query(`
    select 'record' as what, id from records r
    where 1 <> (select count(*) from activities where record_id = r.id)
    union all
    select 'review', id from reviews r
    where 1 <> (select count(*) from activities where review_id = r.id)`)
    .all()
}

/** The newest records in the server's responses equal those of the ledger. */
async function expectAnswered(server: Server, token: string, found: readonly Found[]): Promise<void> {
  const target = `${server.url}/v1/records?sort_id=desc&per_page=50`
  const response = await fetch(target, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  const { records } = (await response.json()) as { records: { id: number; comment: string }[] }
  const known = new Map(found.map(({ key, id, content }) => [`${key} ${id}`, content]))
  for (const { id, comment } of records) {
    expect(known.get(`${comment.split(' ')[0]} ${id}`)).toContain(JSON.stringify(comment))
  }
}
