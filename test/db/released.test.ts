import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { upgrade } from '../../src/cli/open'
import { migrate } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { databasePath } from '../../src/db/open'
import { createSecret } from '../../src/lib/secret'
import { output } from '../support/in-process'
import type { Body } from '../support/instance'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'
import { released, tokenOfReleased } from '../support/released'

/** A data directory as that version left it. */
function left({ database }: (typeof released)[number]): Directory {
  const directory = temporaryDirectory()
  writeFileSync(databasePath(directory.path), database())
  return directory
}

interface Part {
  readonly name: string
  readonly type: string
  readonly sql: string | null
}

const schemaOf = (handle: Database) =>
  handle.query<Part, []>('select name, type, sql from sqlite_schema order by type, name').all()

async function freshSchema(): Promise<readonly Part[]> {
  using handle = new Database(':memory:')
  await migrate(handle)
  return schemaOf(handle)
}

/** How many rows each table of users and of the catalogue has; indexes may be rebuilt, and what counted rows is gone. */
function rowsIn(path: string): Record<string, number> {
  using handle = new Database(path, { readonly: true })
  const tables = schemaOf(handle).filter(
    ({ name, type }) =>
      type === 'table' && !/^(?:sqlite_|kysely_|instance|row_counts|.*_(?:search|keys|grams))/.test(name),
  )
  return Object.fromEntries(
    tables.map(({ name }) => [name, Number(handle.query(`select count(*) from "${name}"`).values()[0]?.[0])]),
  )
}

test('there is a database of a released version, with rows in every table that keeps some', () => {
  expect(released.map(({ version }) => version)).toContain('0.1.0')
  for (const one of released) {
    using directory = left(one)
    const empty = Object.entries(rowsIn(databasePath(directory.path))).filter(([, n]) => n === 0)
    expect(empty.map(([name]) => name).filter((name) => !mayBeEmpty.has(name))).toEqual([])
  }
})

/** Rows that live for minutes, or during an import or a deletion. */
const mayBeEmpty: ReadonlySet<string> = new Set([
  ...['authorization_codes', 'consent_requests', 'device_grants', 'one_time_links'],
  ...['imports', 'import_blocks', 'deletions'],
])

test.each(released)('promise 2: no migration of kiroku $version was changed', ({ digests }) => {
  const ours = Object.entries(migrations).map(([name, text]) => [
    name,
    new Bun.CryptoHasher('sha256').update(text).digest('hex'),
  ])
  expect(ours.slice(0, Object.keys(digests).length)).toEqual(Object.entries(digests))
})

test.each(released)(
  'promise 2: a database of kiroku $version becomes exactly like a new one, and keeps its rows',
  async (one) => {
    using directory = left(one)
    const path = databasePath(directory.path)
    const before = rowsIn(path)
    await upgrade(directory.path, Date.now)
    using handle = new Database(path)
    expect(schemaOf(handle)).toEqual([...(await freshSchema())])
    expect(rowsIn(path)).toMatchObject(before)
    expect(await output(directory, ['check', '--deep', '--data', directory.path])).toBe('ok\n')
  },
)

test.each(released)('promise 2: a database of kiroku $version can be served and written to', async (one) => {
  using directory = left(one)
  await using server = await startServer(directory, ['--data', directory.path])
  const token = createSecret('pat', tokenOfReleased)
  const ask = async (method: string, path: string, body: object | null = null): Promise<Body> => {
    const response = await fetch(`${server.url}${path}`, {
      ...{ method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      body: body && JSON.stringify(body),
    })
    expect([path, response.status]).toEqual([path, 200])
    return await response.json()
  }
  const { total_count: records } = await ask('GET', '/v1/records?per_page=1')
  const made = await ask('POST', '/v1/me/records', { episode_id: 1, comment: '今日も見た' })
  expect(made).toMatchObject({ comment: '今日も見た' })
  expect((await ask('GET', '/v1/records?per_page=1')).total_count).toBe(records + 1)
  expect((await ask('GET', '/v1/me')).username).toBe('mio')
})
