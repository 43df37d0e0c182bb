import type { Database } from 'bun:sqlite'

/** Makes the instance's own source own the aliases: the sources' lists of aliases would remove them again. */
export function adoptAliases(handle: Database, from: number): void {
  for (const table of ['work_aliases', 'search_names'])
    handle.query(`update or ignore ${table} set source_id = 1 where work_id = ?`).run(from)
}

/** Keeps the merged work's title as an alias, and its site ids if the survivor has none (D67). */
export function keepWorkNames(handle: Database, from: number, to: number): void {
  for (const column of idColumns) handle.query(fillId(column)).run(to, from)
  handle.query(addTitle).run(to, from)
}

export function listEpisode(handle: Database, from: number, to: number): void {
  handle.query(takeList).run(to, from)
}

export const idColumns = ['mal_anime_id', 'syobocal_tid'] as const

// Respects a source that says there is no such id.
const fillId = (column: string) => `
  update works set ${column} = gone.${column}, version = works.version + 1,
    owners = json_set(works.owners, '$.${column}', ifnull(json_extract(gone.owners, '$.${column}'), gone.source_id))
  from works as gone
  where works.id = ?1 and gone.id = ?2 and works.${column} = '' and gone.${column} <> ''
    and json_extract(works.owners, '$.${column}') is null`

const addTitle = `
  insert or ignore into work_aliases (work_id, source_id, title)
  select stays.id, 1, gone.title from works as gone, works as stays
  where stays.id = ?1 and gone.id = ?2 and gone.title <> stays.title`

const takeList = `
  update episodes set number = listed.number, number_text = listed.number_text, sort_number = listed.sort_number,
    title = listed.title, estimated = 0, source_id = listed.source_id, owners = listed.owners,
    version = episodes.version + 1
  from episodes as listed
  where episodes.id = ?1 and listed.id = ?2 and episodes.estimated = 1 and listed.estimated = 0`
