import type { ScoreFormat } from '../plan/planned-row'
import type { Row } from '../row'
import type { Ask } from './list-import'

/** What a file leaves open. */
export interface FileFacts {
  readonly rows: number
  /** Of the scores whose scale it does not say. */
  readonly largestScore: number | null
  readonly hasTimesWithoutZone: boolean
  readonly hasPrivate: boolean
}

export const noFacts: FileFacts = {
  rows: 0,
  largestScore: null,
  hasTimesWithoutZone: false,
  hasPrivate: false,
}

/** Reads all rows. Throws a `RefusedFile`. */
export async function findFacts(rows: AsyncIterable<Row>): Promise<FileFacts> {
  let facts = noFacts
  for await (const row of rows) facts = withRow(facts, row)
  return facts
}

function withRow({ rows, largestScore, hasTimesWithoutZone, hasPrivate }: FileFacts, row: Row): FileFacts {
  const { score, plays = [], isPrivate } = row
  const value = score !== undefined && score.scale === undefined && score.value > 0 ? score.value : null
  return {
    rows: rows + 1,
    largestScore: value === null ? largestScore : Math.max(value, largestScore ?? 0),
    hasTimesWithoutZone:
      hasTimesWithoutZone ||
      plays.some(({ watchedAt }) => typeof watchedAt === 'string' && watchedAt.includes('T')),
    hasPrivate: hasPrivate || isPrivate === true,
  }
}

export function asksOf(
  { largestScore, hasTimesWithoutZone, hasPrivate }: FileFacts,
  { scoreFormat, timeZone }: { readonly scoreFormat: ScoreFormat | null; readonly timeZone: string },
): readonly Ask[] {
  const asks: Ask[] = []
  if (scoreFormat === null && largestScore !== null && largestScore <= 5)
    asks.push({ name: 'score_format', options: formatsFor(largestScore) })
  if (hasTimesWithoutZone) asks.push({ name: 'time_zone', options: [timeZone] })
  if (hasPrivate) asks.push({ name: 'include_private', options: ['false', 'true'] })
  return asks
}

/** Scales that a score fits. */
export const formatsFor = (largestScore: number): readonly ScoreFormat[] =>
  scales.flatMap(([format, largest]) => (largestScore <= largest ? [format] : []))

const scales: readonly (readonly [ScoreFormat, number])[] = [
  ['POINT_3', 3],
  ['POINT_5', 5],
  ['POINT_10', 10],
  ['POINT_100', 100],
]
