import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { upgrade } from '../../src/cli/open'
import { migrate } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { databasePath, openHandle } from '../../src/db/open'
import { type Directory, temporaryDirectory } from '../support/kiroku'
import { released } from '../support/released'

/** The statements of a migration, each up to a line that ends one and is not indented, as those of triggers are. */
const statementsOf = (text: string) =>
  text
    .split(/(?<=;)\n(?=\S|\n|$)(?!end;)/)
    .filter((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim() !== '')

/** What a file system has after a kill: the database and its log as they are now. */
function imageOf(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to)
  for (const end of ['', '-wal']) {
    const file = `${databasePath(from)}${end}`
    if (existsSync(file)) copyFileSync(file, `${databasePath(to)}${end}`)
  }
  return to
}

/** A hash of every table's rows and every definition; the migrator creates its own tables before it starts. */
function contentsOf(directory: string): string {
  using handle = new Database(databasePath(directory))
  const hasher = new Bun.CryptoHasher('sha256')
  const parts = handle
    .query<{ name: string; type: string; sql: string | null }, []>(
      "select name, type, sql from sqlite_schema where name not like '%kysely_%' order by type, name",
    )
    .all()
  hasher.update(JSON.stringify(parts))
  for (const { name, type } of parts.filter(({ type }) => type === 'table'))
    hasher.update(`${type}${JSON.stringify(handle.query(`select * from "${name}"`).values())}`)
  return hasher.digest('hex')
}

/** Each beginning looks at other statements: an image costs a copy and a hash of the whole database. */
const stride = 4

/** Upgrades, and passes an image of the files after each `stride`-th statement from `first` on; resolves to their number. */
async function upgradeSlowly(
  directory: Directory,
  first: number,
  look: (image: string) => Promise<void>,
): Promise<number> {
  const images: string[] = []
  let statements = 0
  const handle = openHandle(directory.path)
  // Otherwise nothing of the transaction would be in the files before its end.
  handle.run('pragma cache_size = 10')
  handle.run('pragma cache_spill = 1')
  const exec = handle.exec.bind(handle)
  handle.exec = (text) => {
    for (const statement of statementsOf(text)) {
      exec(statement)
      if (statements++ % stride !== first) continue
      images.push(imageOf(directory.path, directory.file(`image-${images.length}`)))
    }
    return { changes: 0, lastInsertRowid: 0 }
  }
  await migrate(handle)
  handle.close()
  for (const image of images) {
    await look(image)
    rmSync(image, { recursive: true })
  }
  return images.length
}

const earlier = Object.fromEntries(Object.entries(migrations).slice(0, 2))

const beginnings: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  'nothing at all': async (directory) => openHandle(directory).close(),
  'the first two migrations': async (directory) => {
    const handle = openHandle(directory)
    await migrate(handle, earlier)
    handle.run("insert into sources (id, name, priority) values (7, 'kept', 50)")
    handle.close()
  },
  ...Object.fromEntries(
    released.map(({ version, database }) => [
      `kiroku ${version}`,
      async (directory: string) => writeFileSync(databasePath(directory), database()),
    ]),
  ),
}

test.each(Object.entries(beginnings).map(([name, begin], at) => ({ name, begin, first: at % stride })))(
  'promise 2: an upgrade killed after any statement has changed nothing, and the next one completes it: $name',
  async ({ begin, first }) => {
    using directory = temporaryDirectory()
    await begin(directory.path)
    const before = contentsOf(imageOf(directory.path, directory.file('before')))
    const endings = new Set<string>()
    let seen = 0
    const count = await upgradeSlowly(directory, first, async (image) => {
      expect([image, contentsOf(image)]).toEqual([image, before])
      seen++
      if (seen % 24 !== 1) return
      await upgrade(image, Date.now)
      endings.add(schemaOf(image))
    })
    endings.add(schemaOf(directory.path))
    expect([seen, endings.size]).toEqual([count, 1])
    expect(seen).toBeGreaterThan(20)
  },
  600_000,
)

function schemaOf(directory: string): string {
  using handle = new Database(databasePath(directory))
  return JSON.stringify(
    handle.query('select name, type, sql from sqlite_schema order by type, name').values(),
  )
}
