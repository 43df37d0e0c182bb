import { Database } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { kinds } from './kinds/kinds'

export interface Scratch {
  readonly handle: Database
  close(): void
}

/** Deletes what an earlier import left behind. The caller holds the catalogue's lock. */
export function openScratch(directory: string): Scratch {
  removeScratch(directory)
  const handle = new Database(scratchPath(directory), { create: true, readwrite: true })
  for (const pragma of pragmas) handle.run(`pragma ${pragma}`)
  handle.run(blockTable)
  return {
    handle,
    close: () => {
      handle.close()
      removeScratch(directory)
    },
  }
}

/** True as well for one left by a killed import. */
export const hasScratch = (directory: string): boolean => existsSync(scratchPath(directory))

/** The caller holds the catalogue's lock. */
export function removeScratch(directory: string): void {
  rmSync(scratchPath(directory), { force: true })
}

/** Copies everything except users' data, in one read transaction that blocks no writes; yields to other work. */
export async function copyCatalogue(handle: Database, databasePath: string): Promise<void> {
  handle.run('attach ? as live', [databasePath])
  handle.run('begin')
  const parts = handle
    .query<Part, []>(
      `select type, name, tbl_name as "table", sql from live.sqlite_schema
       where sql is not null and name not like 'sqlite_%' and tbl_name <> 'import_blocks'
       order by type = 'trigger', rowid`,
    )
    .all()
  const make = async (isWanted: (part: Part) => boolean) => {
    for (const { sql } of parts.filter(isWanted)) await runOne(handle, sql)
  }
  // Tables come before indexes and triggers, which slow inserts down many times over. Users' tables stay empty.
  await make(({ type, table }) => type === 'table' && !/_search($|_)/.test(table))
  for (const table of copied) await copyTable(handle, table)
  handle.run('delete from main.sqlite_sequence')
  handle.run('insert into main.sqlite_sequence (name, seq) select name, seq from live.sqlite_sequence')
  await make(({ type }) => type === 'view')
  await make(({ type, name, table }) => isUpkeep(type) && copied.includes(table) && !forLists.test(name))
  handle.run('commit')
  handle.run('detach live')
  handle.run('pragma foreign_keys = on')
}

interface Part {
  readonly type: string
  readonly name: string
  readonly table: string
  readonly sql: string
}

const isUpkeep = (type: string) => type === 'index' || type === 'trigger'

async function runOne(handle: Database, sql: string): Promise<void> {
  handle.run(sql)
  await new Promise<void>((resolve) => setImmediate(resolve))
}

async function copyTable(handle: Database, table: string): Promise<void> {
  // This pragma omits generated columns.
  const columns = handle
    .query<{ name: string }, [string]>("select name from pragma_table_info(?, 'live') order by cid")
    .all(table)
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const copy = `insert into main.${table} (${names}) select ${names} from live.${table}`
  if (!names.includes('"kind"')) return await runOne(handle, copy)
  // The largest tables are copied one kind at a time.
  for (const { name } of kinds) await runOne(handle, `${copy} where kind = '${name}'`)
}

const copied = [
  ...['sources', 'prefectures', 'instance', 'external_ids', 'import_rows', 'redirects'],
  ...kinds.map(({ table }) => table),
  ...['work_aliases', 'search_names', 'series_works', 'streams', 'removed_parts', 'program_slots'],
]

/** Indexes and triggers for lists, counters and renderings, which the copy does not need. */
const forLists =
  /_((shown|sort|season|watchers)(_desc)?|keys|started|hidden|withheld|withhold|version)$|_(rows|guard|version|withheld)_|^(episodes|casts|staffs|programs)_work$|^(casts|staffs|characters)_counts_/

const blockTable = 'create table import_blocks (first_line integer primary key, content blob not null) strict'

const scratchPath = (directory: string) => join(directory, 'import-scratch.partial')

// The copy is temporary, so nothing is synced.
const pragmas = [
  'busy_timeout = 5000',
  'journal_mode = memory',
  'synchronous = off',
  'trusted_schema = off',
  'temp_store = memory',
  'cache_size = -32000',
  'foreign_keys = off',
]
