import type { Progress } from '../../library/progress/progress'
import type { Preferences } from '../../pages/preferences'
import type { TrackedWork } from './queries'

export interface TrackedRow {
  readonly work: TrackedWork
  readonly progress: Progress
}

type TitleLanguage = Preferences['titleLanguage']

type Order = (one: TrackedRow, other: TrackedRow) => number

/** A work's position among the latest records. */
type Recency = ReadonlyMap<number, number>

/** First what has been broadcast, newest first; then what is to come, soonest first; then what is complete. */
export function byAiring(recency: Recency): Order {
  const recent = byRecency(recency)
  return (one, other) => groupOf(one) - groupOf(other) || timeOf(one) - timeOf(other) || recent(one, other)
}

export const byRecency =
  (recency: Recency): Order =>
  (one, other) =>
    placeOf(recency, one) - placeOf(recency, other) || one.work.id - other.work.id

export function byTitle(language: TitleLanguage): Order {
  const { compare } = new Intl.Collator(language === 'native' ? 'ja' : 'en', { numeric: true })
  return (one, other) => compare(titleOf(one, language), titleOf(other, language))
}

/** 0: waiting to be watched. 1: the next episode is still to come. 2: there is no next episode. */
function groupOf({ progress: { next } }: TrackedRow): number {
  if (next === undefined) return 2
  return next.hasAired ? 0 : 1
}

/** Negative for the past, so that the newest comes first. Episodes without a time come last. */
function timeOf({ progress: { next } }: TrackedRow): number {
  const at = next?.airing?.at
  if (at === undefined) return Number.MAX_SAFE_INTEGER
  return next?.hasAired ? -at : at
}

const placeOf = (recency: Recency, { work }: TrackedRow) => recency.get(work.id) ?? Number.MAX_SAFE_INTEGER

function titleOf({ work }: TrackedRow, language: TitleLanguage): string {
  if (language === 'english') return work.title_en || work.title_ro || work.title
  return language === 'romaji' ? work.title_ro || work.title : work.title
}
