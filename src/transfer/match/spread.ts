import type { StatusKind } from '../../library/statuses'
import type { ListRow, Play } from '../row'
import type { KnownWork } from './known-work'

/** The part of a row that is about one of several works. */
export interface Share {
  readonly work: KnownWork
  readonly row: ListRow
}

/** The length of a work that a row runs through: 1 for a film, infinite if it is unknown. */
export const lengthOf = ({ isWhole, count }: KnownWork): number =>
  isWhole ? 1 : (count ?? Number.POSITIVE_INFINITY)

/** Infinite if the length of one is unknown. */
export const lengthOfAll = (works: readonly KnownWork[]): number =>
  works.reduce((sum, work) => sum + lengthOf(work), 0)

/**
 * Divides a row among works whose episodes it runs through, in order; leaves out works that it does not reach. What is
 * said about the whole goes to the first, the last day to the last.
 */
export function spread(row: ListRow, works: readonly KnownWork[]): readonly Share[] {
  const begins = works.map((_, at) => lengthOfAll(works.slice(0, at)))
  const shares = works.map((work, at) => ({ work, row: partOf(row, begins[at] ?? 0, begins[at + 1]) }))
  return withStatuses(
    row,
    isForAll(row) ? shares : shares.filter((share, at) => at === 0 || hasAny(share.row)),
  )
}

const isForAll = ({ status }: ListRow) => status === 'watched' || status === 'wanna_watch'

/** The part from after `begin` up to `end`; the last part has no end. */
function partOf(row: ListRow, begin: number, end: number | undefined): ListRow {
  const upTo = end ?? Number.POSITIVE_INFINITY
  const isIn = (episode: number) => Math.max(1, episode) > begin && Math.max(1, episode) <= upTo
  const { progress, total } = row
  return {
    ...row,
    progress: typeof progress === 'number' ? within(progress, begin, upTo) : progress,
    total: total === undefined ? undefined : within(total, begin, upTo) || undefined,
    watched: row.watched?.filter(isIn).map((episode) => episode - begin),
    plays: row.plays?.filter(({ episode }) => isIn(episode)).map((play) => renumbered(play, -begin)),
  }
}

const within = (number: number, begin: number, end: number) => Math.max(0, Math.min(number, end) - begin)

/** The play with its number counted within its work. */
export const renumbered = ({ season: _, ...play }: Play, by: number): Play => ({
  ...play,
  episode: play.episode + by,
})

/** The row with all its numbers counted on by so many. */
export function shifted(row: ListRow, by: number): ListRow {
  const { progress, total, watched, plays } = row
  return {
    ...row,
    progress: typeof progress === 'number' ? Math.max(0, progress + by) : progress,
    total: total === undefined ? undefined : Math.max(0, total + by) || undefined,
    watched: watched?.map((episode) => episode + by),
    plays: plays?.map((play) => renumbered(play, by)),
  }
}

const hasAny = ({ progress = 0, watched = [], plays = [] }: ListRow) =>
  progress === 'all' || progress > 0 || watched.length > 0 || plays.length > 0

/** Gives each share its status: reaching a later work means that those before were watched. */
export function withStatuses(row: ListRow, shares: readonly Share[]): readonly Share[] {
  return shares.map(({ work, row: part }, at) => {
    const [isFirst, isLast] = [at === 0, at === shares.length - 1]
    return {
      work,
      row: {
        ...part,
        ...(!isFirst && saidOfWhole),
        ...(!isLast && { finishedOn: undefined, status: statusBefore(row.status, work, part) }),
      },
    }
  })
}

const saidOfWhole = {
  score: undefined,
  rating: undefined,
  note: undefined,
  startedOn: undefined,
  own: undefined,
}

/** Only the last work reached is paused or dropped. */
function statusBefore(
  status: StatusKind | undefined,
  work: KnownWork,
  part: ListRow,
): StatusKind | undefined {
  if (status === 'watched' || (status === 'wanna_watch' && !hasAny(part))) return status
  return status !== undefined && isWatched(work, part) ? 'watched' : undefined
}

const isWatched = (work: KnownWork, { progress }: ListRow) =>
  progress === 'all' || (typeof progress === 'number' && progress >= lengthOf(work))
