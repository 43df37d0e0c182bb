import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beginDeletion, finishDeletion, finishDeletions } from '../../../src/accounts/account/deletion'
import { gramsOf, indexNames } from '../../../src/accounts/name-index'
import { sendList } from '../../support/imports'
import { createInstance, type Instance } from '../../support/instance'
import { deeds, perform, references } from '../../support/member-rows'
import { seedLibrary } from '../../support/seed-library'
import { createMember } from '../../support/visitor'

let kiroku: Instance
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
})
afterEach(() => kiroku.close())

const ritsu = 2
const secret = 'zqxjkvwp'

/** Which of the database's files contain a text. */
function filesWith(text: string): string[] {
  const path = kiroku.store.handle.filename
  return ['', '-wal', '-shm'].filter(
    (end) => existsSync(path + end) && readFileSync(path + end).includes(text),
  )
}

/** Writes a secret into every text of every row that belongs to the user; returns the columns that took one. */
function confide(handle: Database, length: number): string[] {
  const owned: (readonly [string, string])[] = [
    ...references(handle).map(([table, column]) => [table, `${column} = ${ritsu}`] as const),
    ['users', `id = ${ritsu}`],
    ['list_import_rows', `import_id in (select id from list_imports where user_id = ${ritsu})`],
  ]
  return owned.flatMap(([table, where]) => {
    const columns = handle
      .query<{ name: string }, [string]>("select name from pragma_table_info(?) where type = 'TEXT'")
      .all(table)
    return columns.flatMap(({ name }) =>
      write(handle, { table, name, where, length }) ? [`${table}.${name}`] : [],
    )
  })
}

function write(
  handle: Database,
  { table, name, where, length }: { table: string; name: string; where: string; length: number },
): boolean {
  const text = secret.repeat(length)
  // Keys differ by row; some texts must be JSON, and others are one of a few words.
  for (const value of [`'${text}' || id`, `'${text}' || rowid`, `'"${text}"'`])
    try {
      const { changes } = handle.run(`update ${table} set ${name} = ${value} where ${where}`)
      return changes > 0
    } catch {}
  return false
}

async function fill({ store: { handle } }: Instance): Promise<string[]> {
  for (const deed of fc.sample(deeds(), { numRuns: 40, seed: 2 }).flat()) perform(handle, deed)
  const member = await createMember(kiroku, 'Ritsu_T')
  const sent = await sendList(member, `work_id,title,status\n1,${secret},watching\n,${secret} 2,watched`)
  expect(sent.status).toBe(303)
  const columns = confide(handle, 700)
  await kiroku.deps.write(indexNames)
  handle.run('pragma wal_checkpoint(truncate)')
  // Shorter texts, which are only in the log.
  confide(handle, 3)
  await kiroku.deps.write(indexNames)
  return columns
}

test('nothing that a deleted account wrote is left in the bytes of the database and its log', async () => {
  const columns = await fill(kiroku)
  expect(columns).toEqual(expect.arrayContaining(told))
  // What the search index of names holds of `zq`.
  const gram = '007a0071'
  expect(gramsOf({ id: ritsu, username_key: secret, name: '' })).toContain(gram)
  expect([filesWith(secret), filesWith(gram)]).toEqual([
    ['', '-wal'],
    ['', '-wal'],
  ])
  await beginDeletion(kiroku.deps, { userId: ritsu, keepsComments: false })
  await finishDeletion(kiroku.deps, ritsu)
  expect(filesWith(secret)).toEqual([])
  expect(filesWith(gram)).toEqual([])
})

test('a read that holds the log only delays that', async () => {
  await fill(kiroku)
  await beginDeletion(kiroku.deps, { userId: ritsu, keepsComments: false })
  const reader = new Database(kiroku.store.handle.filename, { readonly: true })
  reader.run('begin')
  reader.query('select count(*) from users').all()
  const { storage } = kiroku.deps
  let refused = 0
  const emptyLog = () => {
    const isEmptied = storage.emptyLog()
    if (!isEmptied && refused++ === 0) reader.close()
    return isEmptied
  }
  await finishDeletion({ ...kiroku.deps, storage: { ...storage, emptyLog } }, ritsu)
  expect([refused, filesWith(secret)]).toEqual([1, []])
})

test('a server that was killed when it had deleted an account empties the log after its next start', async () => {
  await fill(kiroku)
  const emptyLog = () => {
    throw new Error('killed')
  }
  const { storage } = kiroku.deps
  await beginDeletion(kiroku.deps, { userId: ritsu, keepsComments: false })
  const killed = finishDeletion({ ...kiroku.deps, storage: { ...storage, emptyLog } }, ritsu)
  await expect(killed).rejects.toThrow('killed')
  expect(filesWith(secret)).not.toEqual([])
  await finishDeletions(kiroku.deps)
  expect(filesWith(secret)).toEqual([])
  // Other starts leave the log, which a replicator may be following.
  const untouched = { ...storage, emptyLog }
  await finishDeletions({ ...kiroku.deps, storage: untouched })
})

const told = [
  ...['users.name', 'users.description', 'users.email', 'records.comment', 'reviews.body', 'notes.text'],
  ...['changes.before', 'list_imports.file_name', 'list_import_rows.title', 'applications.name'],
  ...['invitations.note', 'sessions.user_agent', 'tokens.description'],
]
