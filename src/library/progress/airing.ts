import { mostEpisodes } from '../../catalogue/default/episode-count'
import { type BroadcastRule, broadcastAt, day } from '../../catalogue/estimate/broadcast-rule'

export interface Airing {
  /** Epoch milliseconds. */
  readonly at: number
  /** Not listed by any source: calculated from the first broadcast and the interval. */
  readonly isEstimated: boolean
  readonly channel: string | undefined
}

export interface AiringRow extends BroadcastRule {
  /** Of the next episode's first broadcast on the user's channels. */
  readonly started_at: number | null
  readonly program_estimated: number | null
  readonly channel: string | null
  readonly position: number
}

export interface AiredRow extends AiringRow {
  /** How many episodes precede the first one still to be broadcast, as far as broadcasts are listed. */
  readonly first_to_come: number | null
}

export function airingOf(row: AiringRow): Airing | undefined {
  const { started_at, program_estimated, channel, position } = row
  if (started_at !== null)
    return { at: started_at, isEstimated: program_estimated === 1, channel: channel ?? undefined }
  const at = broadcastAt(row, position)
  return at === undefined ? undefined : { at, isEstimated: true, channel: undefined }
}

/** How many episodes have been broadcast according to the list, else to the rule; undefined if there is neither. */
export function airedEpisodes(row: AiredRow, now: number): number | undefined {
  if (row.first_to_come !== null) return row.first_to_come
  // Some days have several: the whole list was broadcast by its end, whatever the interval says.
  if (row.broadcast_end !== null && row.broadcast_end + day <= now) return Number.POSITIVE_INFINITY
  if (broadcastAt(row, 0) === undefined) return undefined
  let count = row.position
  while ((broadcastAt(row, count) ?? Number.POSITIVE_INFINITY) <= now && count < mostEpisodes) count++
  return count
}
