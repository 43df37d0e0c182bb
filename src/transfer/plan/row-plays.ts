import type { OwnPlay, Play, Row } from '../row'
import { type FileClock, type KnownMoment, momentOf } from './file-dates'
import type { Here } from './here'
import { placesIn } from './place'
import { proseOf, type Warn } from './said'
import { type FilePlay, oncePerSitting } from './sittings'

/** The plays of a row by the places of their episodes, in the order of the list; `warn` is told of others. */
export function playsByPlace(
  row: Row,
  episodes: Here['episodes'],
  clock: FileClock,
  warn: Warn,
): readonly (readonly [number, readonly FilePlay[]])[] {
  const plays = row.plays ?? []
  if (plays.length === 0) return []
  const placeOf = placesIn(episodes)
  const places = new Map<number, FilePlay[]>()
  const unknown = new Set<number>()
  for (const play of plays) {
    const place = placeOf(play.episode)
    if (place === undefined) unknown.add(play.episode)
    else if (places.get(place)?.push(filePlay(play, clock)) === undefined)
      places.set(place, [filePlay(play, clock)])
  }
  if (unknown.size > 0) warn(`there is no episode ${[...unknown].slice(0, 10).join(', ')}`)
  return [...places]
    .toSorted(([one], [other]) => one - other)
    .map(([place, some]) => [place, oncePerSitting(some)] as const)
}

/** Of a film, whatever number its plays have. */
export const playsOfFilm = (row: Row, clock: FileClock): readonly FilePlay[] =>
  oncePerSitting((row.plays ?? []).map((play) => filePlay(play, clock)))

const filePlay = (play: Play, clock: FileClock): FilePlay => ({
  moment: withPrecision(momentOf(play.watchedAt, clock), play.own),
  ratingState: play.rating ?? null,
  comment: proseOf('a comment', play.comment),
  ...(play.own?.createdAt !== undefined && { createdAt: Math.min(play.own.createdAt, clock.now) }),
})

/** A file of kiroku says how exactly it knows a time. */
const withPrecision = (moment: KnownMoment | null, own: OwnPlay | undefined): KnownMoment | null =>
  moment === null || own === undefined || own.precision === 'none'
    ? moment
    : { at: moment.at, precision: own.precision }
