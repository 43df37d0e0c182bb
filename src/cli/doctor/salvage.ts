import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { forgetHighWater } from '../../db/health/high-water'
import { sizeOf } from '../../db/health/main-file'
import { migrate } from '../../db/migrate'
import { databasePath, openHandle, prepareDirectory } from '../../db/open'
import { Failure } from '../../lib/failure'
import { quoted } from '../../lib/shell-word'
import type { CliCall } from '../command'
import { table } from '../table'
import { copyRows, type Salvaged } from './salvage-rows'

/**
 * Copies all readable rows into a new database in `target`, which must be empty or missing, and prints how
 * many. Throws `noInput` if there is no database, `config` if the target is not empty.
 */
export async function salvage(call: CliCall, directory: string, target: string): Promise<void> {
  const from = databasePath(directory)
  if (sizeOf(from) === 0)
    throw new Failure('noInput', `${from} is empty or missing: there is nothing to salvage`)
  if (existsSync(target) && !statSync(target).isDirectory())
    throw new Failure('config', `${target} is not a directory: name a new one`)
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Failure('config', `${target} is not empty: name a new directory`)
  prepareDirectory(target)
  const handle = openHandle(target)
  try {
    await migrate(handle)
    const counts = salvageInto(handle, from)
    await call.print(textOf(counts, target))
  } finally {
    handle.close()
  }
  forgetHighWater(target)
}

/** Triggers are dropped and put back afterwards, since they would count everything twice. */
function salvageInto(handle: Database, from: string): readonly Salvaged[] {
  const triggers = handle.query<{ name: string; sql: string }, []>(
    "select name, sql from sqlite_schema where type = 'trigger'",
  )
  const kept = triggers.all()
  using source = openDamaged(from)
  handle.run('pragma foreign_keys = off')
  for (const { name } of kept) handle.run(`drop trigger "${name}"`)
  const counts = tablesOf(handle).map((name) => copyRows(source, handle, name))
  const dropped = dropDangling(handle)
  for (const { sql } of kept) handle.run(sql)
  return dropped === 0
    ? counts
    : [...counts, { name: 'left out, because they refer to lost rows', rows: dropped, lost: false }]
}

function openDamaged(path: string): Database {
  const source = new Database(path, { readonly: true })
  source.run('pragma busy_timeout = 5000')
  return source
}

const tablesOf = (handle: Database): readonly string[] =>
  handle
    .query<{ name: string }, []>(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all()
    .map(({ name }) => name)

interface Reference {
  readonly table: string
  readonly parent: string
  /** The number of the reference among those of the table. */
  readonly fkid: number
}

/** Deletes the rows whose parents are missing; a loop, since their children go with them. Returns how many. */
function dropDangling(handle: Database): number {
  let dropped = 0
  for (;;) {
    let changes = 0
    for (const reference of broken(handle)) changes += handle.run(deletion(handle, reference)).changes
    changes += handle.run(emptyActivities).changes
    if (changes === 0) return dropped
    dropped += changes
  }
}

const broken = (handle: Database): readonly Reference[] =>
  handle.query<Reference, []>('select distinct "table", parent, fkid from pragma_foreign_key_check').all()

/** By what the rows refer to, since those of a table without rowids have nothing else in common. */
function deletion(handle: Database, { table, parent, fkid }: Reference): string {
  const pairs = handle
    .query<{ from: string; to: string }, [string, number]>(
      'select "from", "to" from pragma_foreign_key_list(?) where id = ?',
    )
    .all(table, fkid)
  const isGiven = pairs.map(({ from }) => `child."${from}" is not null`)
  const isFound = pairs.map(({ from, to }) => `parent."${to}" = child."${from}"`)
  return `delete from "${table}" as child where ${isGiven.join(' and ')}
    and not exists (select 1 from "${parent}" as parent where ${isFound.join(' and ')})`
}

/** As the trigger does that is put back afterwards. */
const emptyActivities = `delete from activities where action = 'create_multiple_records'
  and not exists (select 1 from activity_records where activity_id = activities.id)`

function textOf(counts: readonly Salvaged[], target: string): string {
  const rows = counts
    .filter(({ rows, lost }) => rows > 0 || lost)
    .map(({ name, rows, lost }) => [name, String(rows), lost ? 'some could not be read' : ''])
  return [
    table(rows),
    `Now run: kiroku check --repair --data ${quoted(target)}`,
    `Then inspect it with: kiroku serve --data ${quoted(target)}. Copy the pictures from images/ in the old directory.`,
  ].join('\n')
}
