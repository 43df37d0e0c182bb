import type { EpisodeHere, Here, RecordHere, ReviewHere } from '../../src/transfer/plan/here'
import { planRow } from '../../src/transfer/plan/plan-row'
import type { ImportOptions, PlannedRow } from '../../src/transfer/plan/planned-row'
import type { RowToPlan } from '../../src/transfer/plan/row-to-plan'
import type { ListRow } from '../../src/transfer/row'
import { defaults, matchOf } from './planned-lists'

export const now = Date.UTC(2026, 3, 1, 12)

/** A work of twelve listed episodes, without any data of the user. */
export const hereOf = (more: Partial<Here> = {}): Here => ({
  ...{
    workId: 1,
    isViewed: false,
    mayGrow: false,
    hasKnownLength: true,
    lap: 1,
    status: null,
    reviews: [],
    note: null,
  },
  episodes: episodesOf(12),
  ...more,
})

export const film = (more: Partial<Here> = {}): Here => hereOf({ isViewed: true, episodes: [], ...more })

/** Numbered from `first`; `records` by index. */
export const episodesOf = (
  count: number,
  records: Readonly<Record<number, readonly Partial<RecordHere>[]>> = {},
  first = 1,
): readonly EpisodeHere[] =>
  Array.from({ length: count }, (_, index) => ({
    id: 101 + index,
    number: first + index,
    sortNumber: (first + index) * 10,
    skips: [],
    records: (records[index] ?? []).map((record) => ({
      ...{ watchedAt: now, precision: 'none', lap: 1, isCommented: false },
      ...record,
    })),
  }))

export const statusOf = (kind: NonNullable<Here['status']>['kind'], more: Partial<Here['status']> = {}) => ({
  ...{ kind, changed_at: now, started_on: null, finished_on: null, rewatches: null },
  ...more,
})

export const reviewOf = (more: Partial<ReviewHere> = {}): ReviewHere => ({
  ...{
    id: 7,
    body: '',
    rating_overall_state: null,
    score: null,
    watched_at: null,
    watched_at_precision: null,
  },
  ...{ modified_at: null, created_at: now, version: 1 },
  ...more,
})

type Input = Partial<Omit<RowToPlan, 'options' | 'match'>> & {
  readonly options?: Partial<ImportOptions>
  readonly match?: Parameters<typeof matchOf>[1]
}

export const plan = (row: Partial<ListRow>, { options, match, ...more }: Input = {}): PlannedRow =>
  planRow({
    match: matchOf(row, match),
    ...{ here: hereOf(), inLists: [], source: 'mal', largestScore: null, earlier: null, now },
    ...more,
    options: { ...defaults, ...options },
  })
