import { perStore } from '../db/generations/tracked-read'
import type { Deps } from '../deps'
import { indexTitles, type TitleIndex } from '../transfer/match/title-index'

type Needs = Pick<Deps, 'read' | 'generations' | 'steady'>

/**
 * The names of the catalogue, kept for plays: reading them takes 0.7 s and holds 15 MB. Once they change, those read before
 * serve until they are read again; they are dropped after ten minutes without a play.
 */
export async function keptTitles(deps: Needs): Promise<TitleIndex> {
  const kept = keepers(deps.read)
  kept.usedAt = deps.steady()
  kept.timer ??= setInterval(() => drop(kept, deps), 60_000).unref()
  const isOld = kept.index !== undefined && !deps.generations.isCurrent(kept.at, namedIn)
  if (kept.index === undefined || isOld) kept.reading ??= readAgain(kept, deps)
  // Nobody waits where the former names serve: the next play tries again.
  kept.reading?.catch(() => {})
  return kept.index ?? (await (kept.reading ?? readAgain(kept, deps)))
}

interface KeptTitles {
  index: TitleIndex | undefined
  /** The last commit before they were read. */
  at: number
  reading: Promise<TitleIndex> | undefined
  usedAt: number
  timer: ReturnType<typeof setInterval> | undefined
}

const keepers = perStore(
  (): KeptTitles => ({ index: undefined, at: 0, reading: undefined, usedAt: 0, timer: undefined }),
)

/** What search reads changes with every name, and not with the counters of works. */
const namedIn = ['search_names', 'work_aliases', 'works_search_keys']

async function readAgain(kept: KeptTitles, { read, generations }: Needs): Promise<TitleIndex> {
  const at = generations.last()
  try {
    const index = await indexTitles(read)
    Object.assign(kept, { index, at })
    return index
  } finally {
    kept.reading = undefined
  }
}

const idleMs = 600_000

function drop(kept: KeptTitles, { steady }: Needs): void {
  if (steady() - kept.usedAt < idleMs) return
  clearInterval(kept.timer)
  Object.assign(kept, { index: undefined, timer: undefined })
}
