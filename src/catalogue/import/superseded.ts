import type { Database } from 'bun:sqlite'
import type { YieldingWork } from '../../db/in-pieces'
import { dropEstimates, dropListedPrograms } from '../estimate/drop-estimates'
import { isListed } from '../estimate/listed-programs'
import { numbersOf } from '../numbers-of'

export interface Superseded {
  readonly episodes: readonly number[]
  readonly programs: readonly number[]
}

export const findSuperseded = (handle: Database): Superseded => ({
  episodes: numbersOf(handle, withBothEpisodes),
  programs: numbersOf(handle, withBothPrograms),
})

/** Deletes estimates that listed rows replace; estimated episodes with records stay. */
export const dropSuperseded = (handle: Database, { episodes, programs }: Superseded): YieldingWork<void> =>
  function* (isOver) {
    for (const work of episodes) {
      dropEstimates(handle, work)
      if (isOver()) yield
    }
    for (const work of programs) {
      dropListedPrograms(handle, work)
      if (isOver()) yield
    }
  }

// uses episodes_work_all
const withBothEpisodes = `
  select distinct work_id from episodes where estimated = 1 and records_count = 0
    and work_id in (select work_id from episodes where estimated = 0)`

// uses programs_work_all
const withBothPrograms = `
  select distinct work_id from programs where estimated = 1
    and work_id in (select work_id from programs where estimated = 0)
    and ${isListed('programs.work_id', 'programs.channel_id')}`
