import type { OwnEntry } from '../../row'
import type { EpisodeHere, NoteRow } from '../here'
import { mostLaps } from '../new-laps'
import { placesIn } from '../place'
import type { NewImportedSkip } from '../planned-row'
import { proseOf, type Warn } from '../said'

/** Episodes skipped in kiroku's own file that are not yet skipped here in the same lap. */
export function missingSkips(
  skips: OwnEntry['skips'],
  episodes: readonly EpisodeHere[],
  now: number,
): readonly NewImportedSkip[] {
  if (skips.length === 0) return []
  const placeOf = placesIn(episodes)
  const taken = new Set(episodes.flatMap((episode, index) => episode.skips.map((lap) => `${index} ${lap}`)))
  return skips.flatMap(({ episode, listed, lap, skippedAt }) => {
    const index = placeOf(episode, listed)
    if (index === undefined || episodes[index] === undefined || lap < 1 || lap > mostLaps) return []
    const key = `${index} ${lap}`
    if (taken.has(key)) return []
    taken.add(key)
    return [{ index, lap, skippedAt: Math.min(skippedAt, now) }]
  })
}

export interface PlannedNote {
  /** Null if nothing changes. */
  readonly note: NoteRow | null
  readonly differs: boolean
}

interface NoteToPlan {
  readonly own: OwnEntry | undefined
  readonly here: NoteRow | null
  readonly fileWins: boolean
  readonly now: number
}

export function planNote({ own, here, fileWins, now }: NoteToPlan, warn: Warn): PlannedNote {
  const text = proseOf('the private note', own?.note?.text, warn)
  if (text === '' || text === here?.text) return { note: null, differs: false }
  const note = { text, updated_at: Math.min(own?.note?.updatedAt ?? now, now) }
  return { note: here === null || fileWins ? note : null, differs: here !== null }
}
