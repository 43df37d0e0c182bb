import { dropEstimatedPrograms, dropEstimates } from '../estimate/drop-estimates'
import type { Run } from './run'

/** Takes away the estimates of works that somebody has listed by now. Estimated episodes with records stay. */
export function dropSuperseded({ handle, listed }: Run): void {
  const dropped: number[] = []
  for (const work of listed.episodes) {
    if (hasListedEpisodes(handle, work)) dropped.push(...dropEstimates(handle, work))
  }
  for (const work of listed.programs) dropEstimatedPrograms(handle, work)
  if (dropped.length > 0) handle.query(forget).run(JSON.stringify(dropped))
}

const hasListedEpisodes = (handle: Run['handle'], work: number) =>
  handle.query('select 1 from episodes where work_id = ? and estimated = 0 limit 1').values(work).length > 0

/** A pack may have listed episodes that it called estimated. One statement for all: nothing is indexed by the row. */
const forget = `
  delete from import_rows where kind = 'episode' and local_id in (select value from json_each(?))`
