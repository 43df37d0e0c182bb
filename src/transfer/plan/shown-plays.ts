import type { NewImportedRecord, ShownRecord } from './planned-row'
import type { playsByPlace } from './row-plays'

/** At most a hundred. Plays that are already recorded get their lap from the order. */
export function shownPlays(
  plays: ReturnType<typeof playsByPlace>,
  played: readonly NewImportedRecord[],
): readonly ShownRecord[] {
  const laps = new Map(played.map((record) => [keyOf(record.index, record), record.lap]))
  return plays
    .flatMap(([index, some]) =>
      some.flatMap((play, at) => {
        const { moment, ratingState, comment } = play
        if (moment === null && ratingState === null && comment === '') return []
        const watched = { watchedAt: moment?.at ?? null, precision: moment?.precision ?? 'none' } as const
        const lap = laps.get(keyOf(index, { ...watched, comment })) ?? at + 1
        return [{ episode: index + 1, ...watched, lap, ratingState, comment }]
      }),
    )
    .slice(0, 100)
}

const keyOf = (
  index: number,
  { watchedAt, precision, comment }: Pick<ShownRecord, 'watchedAt' | 'precision' | 'comment'>,
) => `${index} ${precision === 'none' ? '' : watchedAt} ${comment}`
