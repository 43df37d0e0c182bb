import type { Database } from 'bun:sqlite'
import { numbersOf } from '../numbers-of'
import { isListed } from './listed-programs'

/** Keeps estimated episodes with records, and those touched by hand. Their programs move to the listed episode. Returns the deleted ids. */
export function dropEstimates(handle: Database, work: number): number[] {
  const episodes = numbersOf(handle, doomed, work)
  dropEstimatedPrograms(handle, work)
  for (const id of episodes) dropEpisode(handle, id)
  return episodes
}

function dropEstimatedPrograms(handle: Database, work: number): void {
  // uses programs_work_all
  handle.query('delete from programs where work_id = ? and estimated = 1').run(work)
}

/** Drops estimated programs on channels where a source lists the work. */
export function dropListedPrograms(handle: Database, work: number): void {
  // uses programs_work_all
  handle
    .query(
      `delete from programs where work_id = ? and estimated = 1 and ${isListed('programs.work_id', 'programs.channel_id')}`,
    )
    .run(work)
}

export function dropEpisode(handle: Database, id: number): void {
  handle.query(handOver).run(id)
  handle.query(handOverSkips).run(id)
  handle.query(handOverMeetings).run(id)
  handle.query('delete from meeting_episodes where episode_id = ?').run(id)
  handle.query(forget).run(id)
  handle
    .query("delete from external_ids indexed by external_ids_local where kind = 'episode' and local_id = ?")
    .run(id)
  handle.query('delete from episodes where id = ?').run(id)
}

/** Of `episodes`: that somebody recorded it. `records_count` counts what is shared (D74). */
export const isRecorded =
  '(records_count > 0 or exists (select 1 from records where records.episode_id = episodes.id))'

/** Of `episodes`: that nobody has changed it by hand, nor added it (D94). */
export const isUntouched = "(owners = '{}' and source_id <> 1)"

// uses episodes_work_all
const doomed = `select id from episodes where work_id = ? and estimated = 1 and not ${isRecorded} and ${isUntouched}
  and (not exists (select 1 from meeting_episodes where episode_id = episodes.id) or ${listedInstead('episodes', 'id')} is not null)`

// uses the primary key, as no index has the row
const forget = `
  delete from import_rows where source_id in (select id from sources) and kind = 'episode' and key in (
    select ns || ':' || external_id from external_ids indexed by external_ids_local
    where kind = 'episode' and local_id = ?)`

/** The listed episode that replaces the estimated one; null if there is none. */
function listedInstead(table: string, column = 'episode_id'): string {
  return `(
    select listed.id from episodes as listed join episodes as guess on guess.id = ${table}.${column}
    where listed.work_id = guess.work_id and listed.sort_number = guess.sort_number
      and listed.estimated = 0 and listed.hidden & 1 = 0
    limit 1)`
}

// uses programs_episode
const handOver = `
  update programs set version = version + 1, episode_id = ${listedInstead('programs')}
  where episode_id = ?`

/** Skips for which there is no listed episode are deleted with theirs. Uses skips_episode. */
const handOverSkips = `
  update or ignore skips set episode_id = ${listedInstead('skips')}
  where episode_id = ? and ${listedInstead('skips')} is not null`

/** Dates to watch it together. One without a listed episode keeps the estimated one. Uses meeting_episodes_episode. */
const handOverMeetings = `
  update or ignore meeting_episodes set episode_id = ${listedInstead('meeting_episodes')}
  where episode_id = ? and ${listedInstead('meeting_episodes')} is not null`
