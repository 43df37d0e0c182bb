import type { ListRow, Play } from '../row'
import { type FileClock, momentOf } from './file-dates'
import type { Here } from './here'
import { mostLaps } from './new-laps'
import { ownMoment } from './own/own-plays'
import { placesIn } from './place'
import { proseOf, type Warn } from './said'
import { type FilePlay, oncePerSitting } from './sittings'

/** The plays of a row by the index of their episode, in list order; `warn` reports all others. */
export function playsByPlace(
  row: ListRow,
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
    const place = placeOf(play.episode, play.own?.listed)
    if (place === undefined || episodes[place] === undefined) {
      unknown.add(play.episode)
      continue
    }
    const known = places.get(place) ?? []
    known.push(filePlay(play, clock))
    places.set(place, known)
  }
  if (unknown.size > 0) warn(`there is no episode ${[...unknown].slice(0, 10).join(', ')}`)
  return [...places]
    .toSorted(([one], [other]) => one - other)
    .map(([place, some]) => [place, row.own === undefined ? oncePerSitting(some) : some] as const)
}

/** All plays of a film, whatever their numbers. */
export const playsOfFilm = (row: ListRow, clock: FileClock): readonly FilePlay[] =>
  oncePerSitting((row.plays ?? []).map((play) => filePlay(play, clock)))

const filePlay = (play: Play, clock: FileClock): FilePlay => ({
  own: play.own && { ...play.own, lap: Math.min(play.own.lap, mostLaps) },
  moment: play.own === undefined ? momentOf(play.watchedAt, clock) : ownMoment(play, play.own, clock),
  ratingState: play.rating ?? null,
  score: play.score ?? null,
  comment: proseOf('a comment', play.comment),
})
