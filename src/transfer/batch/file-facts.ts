import { invalidParams } from '../../http/errors'
import { mostLists } from '../../social/lists/write-list'
import type { ScoreFormat } from '../plan/planned-row'
import { favorites, type ListRow, type SaidList } from '../row'
import type { Ask } from './list-import'

export interface FileFacts {
  readonly rows: number
  /** Of the scores without a scale. */
  readonly largestScore: number | null
  readonly hasTimesWithoutZone: boolean
  readonly hasPrivate: boolean
  /** Has works that were finished with only some of their episodes watched. */
  readonly hasIncomplete: boolean
  /** Whose entries the file contains, if it says so: at most a hundred users, in file order. */
  readonly users: readonly string[]
  readonly isPart: boolean
  /** In the order of the file; at most as many as one may have, and the favorites. */
  readonly lists: readonly SaidList[]
}

export const noFacts: FileFacts = {
  rows: 0,
  largestScore: null,
  hasTimesWithoutZone: false,
  hasPrivate: false,
  hasIncomplete: false,
  users: [],
  isPart: false,
  lists: [],
}

/** Reads all rows. Throws a `RefusedFile`. */
export async function findFacts(
  rows: AsyncIterable<ListRow>,
  said: AsyncIterable<SaidList> = noLists(),
): Promise<FileFacts> {
  let facts = noFacts
  const users = new Set<string>()
  const lists = new Map<string, SaidList>()
  const add = (list: SaidList) => {
    if (!lists.has(list.name) && lists.size <= mostLists) lists.set(list.name, list)
  }
  for await (const list of said) if (list.name !== favorites) add(list)
  for await (const row of rows) {
    facts = withRow(facts, row)
    if (row.user !== undefined && users.size < mostUsers) users.add(row.user)
    for (const { name } of row.lists ?? []) add({ name })
  }
  return { ...facts, users: [...users], lists: [...lists.values()] }
}

async function* noLists(): AsyncGenerator<SaidList> {}

const mostUsers = 100

function withRow(facts: FileFacts, row: ListRow): FileFacts {
  const { rows, largestScore, hasTimesWithoutZone, hasPrivate, hasIncomplete } = facts
  const { score, plays = [], isPrivate, mayBeComplete } = row
  const value = score !== undefined && score.scale === undefined && score.value > 0 ? score.value : null
  return {
    ...facts,
    rows: rows + 1,
    largestScore: value === null ? largestScore : Math.max(value, largestScore ?? 0),
    hasTimesWithoutZone:
      hasTimesWithoutZone ||
      plays.some(({ watchedAt }) => typeof watchedAt === 'string' && watchedAt.includes('T')),
    hasPrivate: hasPrivate || isPrivate === true,
    hasIncomplete: hasIncomplete || mayBeComplete === true,
  }
}

export function asksOf(
  { largestScore, hasTimesWithoutZone, hasPrivate, hasIncomplete, users }: FileFacts,
  { scoreFormat, timeZone }: { readonly scoreFormat: ScoreFormat | null; readonly timeZone: string },
): readonly Ask[] {
  const asks: Ask[] = []
  if (scoreFormat === null && largestScore !== null && largestScore <= 5)
    asks.push({ name: 'score_format', options: formatsFor(largestScore) })
  if (users.length > 1) asks.push({ name: 'user', options: users })
  if (hasTimesWithoutZone) asks.push({ name: 'time_zone', options: [timeZone] })
  if (hasPrivate) asks.push({ name: 'include_private', options: ['false', 'true'] })
  if (hasIncomplete) asks.push({ name: 'complete_watched', options: ['false', 'true'] })
  return asks
}

/** Unanswered questions that have no default. */
export const mustAnswer = (
  asks: readonly Ask[],
  { user }: { readonly user: string | null },
): readonly ('score_format' | 'user')[] =>
  asks.flatMap(({ name }) => (name === 'score_format' || (name === 'user' && user === null) ? [name] : []))

/** Whose entries to import; null if the file names nobody. Throws invalid_params for somebody who is not in it. */
export function userIn({ users }: FileFacts, user: string | null): string | null {
  if (user === null || users.length === 0) return null
  if (users.includes(user)) return user
  throw invalidParams(`user must be one of those in the file: ${users.join(', ')}.`)
}

export const formatsFor = (largestScore: number): readonly ScoreFormat[] =>
  scales.flatMap(([format, largest]) => (largestScore <= largest ? [format] : []))

const scales: readonly (readonly [ScoreFormat, number])[] = [
  ['POINT_3', 3],
  ['POINT_5', 5],
  ['POINT_10', 10],
  ['POINT_100', 100],
]
