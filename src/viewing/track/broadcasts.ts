import { type BroadcastRule, broadcastAt } from '../../catalogue/estimate/broadcast-rule'
import type { Read } from '../../db/open'
import { instantOf, wallClock } from '../../lib/local-time'
import type { Titles } from '../../pages/title'
import { broadcasts, episodeAt, firstBroadcasts, type TrackedWork } from './queries'

export interface TodaysBroadcast {
  readonly work: Titles & { readonly id: number }
  readonly at: number
  /** Undefined if calculated from the first broadcast and the interval. */
  readonly channel: string | undefined
  readonly isEstimated: boolean
  readonly episode: { readonly number: string | null; readonly number_text: string } | undefined
  readonly isRecorded: boolean
}

interface Tracking {
  readonly user: number
  readonly works: readonly TrackedWork[]
  readonly now: number
  readonly timeZone: string
}

/** Broadcasts of works being watched or planned, earliest first; without listed programs today, by the work's rule. */
export async function broadcastsToday(read: Read, tracking: Tracking): Promise<readonly TodaysBroadcast[]> {
  const { user, works, now, timeZone } = tracking
  if (works.length === 0) return []
  const day = dayOfBroadcasts(now, timeZone)
  const byId = new Map(works.map((work) => [work.id, work]))
  const ids = JSON.stringify([...byId.keys()])
  const listed = firstOfEach(await broadcasts(read, { user, works: ids, ...day })).flatMap((row) => {
    const work = byId.get(row.work_id)
    return work === undefined ? [] : [fromProgram(work, row)]
  })
  const known = new Set(listed.map(({ work }) => work.id))
  const others = works.filter(({ id }) => !known.has(id))
  const ruled = await Promise.all(others.map((work) => fromRule(read, { user, work, ...day })))
  return [...listed, ...ruled.filter((one) => one !== undefined)].sort((one, other) => one.at - other.at)
}

const hour = 3_600_000
const day = 24 * hour

/**
 * From 6 in the morning to 6 the next morning in the zone, in epoch milliseconds: nights belong to the evening before (D82).
 */
export function dayOfBroadcasts(now: number, timeZone: string): { from: number; until: number } {
  const wall = Math.floor((wallClock(now, timeZone) - 6 * hour) / day) * day + 6 * hour
  return { from: instantOf(wall, timeZone), until: instantOf(wall + day, timeZone) }
}

/** Seven days from the beginning of today. */
const weekOfBroadcasts = (now: number, timeZone: string): { from: number; until: number } => {
  const { from } = dayOfBroadcasts(now, timeZone)
  return { from, until: from + 7 * day }
}

type Program = Awaited<ReturnType<typeof broadcasts>>[number]

/** Several channels broadcast the same episode, and some repeat it: the earliest says from when it can be watched. */
function firstOfEach(programs: readonly Program[]): readonly Program[] {
  const byEpisode = new Map<string, Program>()
  for (const program of programs) {
    const key = program.episode_id === null ? `work ${program.work_id}` : String(program.episode_id)
    if (!byEpisode.has(key)) byEpisode.set(key, program)
  }
  return [...byEpisode.values()]
}

const fromProgram = (work: TrackedWork, row: Program): TodaysBroadcast => ({
  work,
  at: row.started_at,
  channel: row.channel,
  isEstimated: row.estimated === 1,
  episode: row.episode_id === null ? undefined : { number: row.number, number_text: row.number_text ?? '' },
  isRecorded: row.recorded === 1,
})

interface Window {
  readonly user: number
  readonly work: TrackedWork
  readonly from: number
  readonly until: number
}

async function fromRule(
  read: Read,
  { user, work, from, until }: Window,
): Promise<TodaysBroadcast | undefined> {
  const position = firstFrom(work, from)
  const at = position === undefined ? undefined : broadcastAt(work, position)
  if (at === undefined || position === undefined || at >= until) return undefined
  const [episode] = await episodeAt(read, { user, work: work.id, position })
  if (episode === undefined) return undefined
  return { work, at, channel: undefined, isEstimated: true, episode, isRecorded: episode.recorded === 1 }
}

/** The number, from 0, of the first broadcast at or after `from`. */
function firstFrom(rule: BroadcastRule, from: number): number | undefined {
  for (let position = 0; position < mostEpisodes; position++) {
    const at = broadcastAt(rule, position)
    if (at === undefined) return undefined
    if (at >= from) return position
  }
  return undefined
}

const mostEpisodes = 2000

/** A planned work whose first episode airs within a week. */
export interface Start {
  readonly work: TrackedWork
  readonly at: number
}

export async function startingSoon(
  read: Read,
  { works, now, timeZone }: Tracking,
): Promise<readonly Start[]> {
  const wanted = works.filter(({ kind }) => kind === 'wanna_watch')
  if (wanted.length === 0) return []
  const { from, until } = weekOfBroadcasts(now, timeZone)
  const rows = await firstBroadcasts(read, { works: JSON.stringify(wanted.map(({ id }) => id)) })
  const first = new Map(rows.map(({ work_id, started_at }) => [work_id, started_at]))
  return wanted
    .flatMap((work) => {
      const known = [first.get(work.id), work.broadcast_begin].filter((one) => typeof one === 'number')
      const at = Math.min(...known)
      return at >= from && at < until ? [{ work, at }] : []
    })
    .sort((one, other) => one.at - other.at)
}
