import type { Database } from 'bun:sqlite'

/**
 * Makes the aliases of a work that is to be merged the instance's own, so that no source, whose list of aliases is about
 * the work that stays, takes them away again.
 */
export function adoptAliases(handle: Database, from: number): void {
  for (const table of ['work_aliases', 'search_names'])
    handle.query(`update or ignore ${table} set source_id = 1 where work_id = ?`).run(from)
}

/** Gives a work the title of the one merged into it as an alias, and its ids elsewhere where it has none (D67). */
export function keepWorkNames(handle: Database, from: number, to: number): void {
  for (const column of idColumns) handle.query(fillId(column)).run(to, from)
  handle.query(addTitle).run(to, from)
}

/** Makes an episode that was only estimated the listed one that is merged into it. */
export function listEpisode(handle: Database, from: number, to: number): void {
  handle.query(takeList).run(to, from)
}

/** Columns that hold a work's id at another site. */
export const idColumns = ['mal_anime_id', 'syobocal_tid'] as const

// A source that said there is none has its way.
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
