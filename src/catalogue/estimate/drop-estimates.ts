import type { Database } from 'bun:sqlite'

/**
 * Deletes a work's estimated programs, and those of its estimated episodes that have no records. Programs of such an
 * episode go over to the listed one in its place, where there is one. Returns the ids of the episodes.
 */
export function dropEstimates(handle: Database, work: number): number[] {
  const episodes = handle.query<never, [number]>(doomed).values(work)
  dropEstimatedPrograms(handle, work)
  for (const [id] of episodes) dropEpisode(handle, Number(id))
  return episodes.map(([id]) => Number(id))
}

/** Deletes the programs that follow from a work's broadcast rule. */
export function dropEstimatedPrograms(handle: Database, work: number): void {
  // uses programs_work_all
  handle.query('delete from programs where work_id = ? and estimated = 1').run(work)
}

/** Deletes one estimated episode, every name it has, and what packs that listed it said of it. */
export function dropEpisode(handle: Database, id: number): void {
  handle.query(handOver).run(id)
  handle.query(forget).run(id)
  handle
    .query("delete from external_ids indexed by external_ids_local where kind = 'episode' and local_id = ?")
    .run(id)
  handle.query('delete from episodes where id = ?').run(id)
}

// uses episodes_work_all
const doomed = 'select id from episodes where work_id = ? and estimated = 1 and records_count = 0'

// uses the primary key: nothing is indexed by the row
const forget = `
  delete from import_rows where source_id in (select id from sources) and kind = 'episode' and key in (
    select ns || ':' || external_id from external_ids indexed by external_ids_local
    where kind = 'episode' and local_id = ?)`

// uses programs_episode
const handOver = `
  update programs set version = version + 1, episode_id = (
    select listed.id from episodes as listed join episodes as guess on guess.id = programs.episode_id
    where listed.work_id = guess.work_id and listed.sort_number = guess.sort_number
      and listed.estimated = 0 and listed.hidden & 1 = 0
    limit 1)
  where episode_id = ?`
