import { sql } from 'kysely'
import { isGrowing } from '../../catalogue/estimate/broadcast-rule'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { currentLap } from '../../library/laps'
import type { EpisodeHere, Here, RecordHere, ReviewHere, StatusRow } from './here'
import { wholeNumber } from './place'

/** Null for a work that is not shown. Follows merges (D67). */
export async function readHere(db: Read | Tx, userId: number, workId: number): Promise<Here | null> {
  const [work] = await works(db, { user: userId, work: workId })
  if (work === undefined) return null
  const own = { user: userId, work: work.id }
  const isViewed = work.no_episodes === 1 || (work.media === 'movie' && work.episodes_count === 0)
  return {
    workId: work.id,
    isViewed,
    mayGrow: work.no_episodes === 0 && work.is_growing === 1,
    hasKnownLength: work.is_growing === 0 || work.episodes_estimate !== null,
    episodes: work.episodes_count === 0 ? [] : episodesOf(await episodes(db, own), await skips(db, own)),
    lap: work.lap,
    note: work.note === null ? null : { text: work.note, updated_at: work.noted_at ?? 0 },
    status: statusOf(work),
    reviews: await reviews(db, own),
  }
}

type Own = { user: number; work: number }

interface WorkRow extends StatusColumns {
  readonly id: number
  readonly no_episodes: number
  readonly media: string
  readonly episodes_count: number
  readonly episodes_estimate: number | null
  /** 1 if the list may get further episodes. */
  readonly is_growing: number
  readonly lap: number
  readonly note: string | null
  readonly noted_at: number | null
}

type StatusColumns = { readonly [Column in keyof StatusRow]: StatusRow[Column] | null }

// uses episodes_work_place
const works = preparedSql<WorkRow, Own>(
  (slot) => sql`
    select works.id, no_episodes, media, episodes_count, episodes_estimate, kind, changed_at, started_on, finished_on, rewatches,
      notes.text as note, notes.updated_at as noted_at,
      ${sql.raw(isGrowing)} as is_growing,
      ${currentLap(slot('user'), sql.ref('works.id'))} as lap
    from works left join statuses on statuses.user_id = ${slot('user')} and statuses.work_id = works.id
    left join notes on notes.user_id = ${slot('user')} and notes.work_id = works.id
    where works.id = ${survivor('works', slot('work'))} and works.hidden = 0`,
)

const statusOf = ({ kind, changed_at, started_on, finished_on, rewatches }: WorkRow): StatusRow | null =>
  kind === null || changed_at === null ? null : { kind, changed_at, started_on, finished_on, rewatches }

interface EpisodeRow extends Pick<EpisodeHere, 'id' | 'sortNumber'>, Pick<RecordHere, 'precision' | 'lap'> {
  readonly number: string | null
  /** Null if there is no record. */
  readonly watchedAt: number | null
  readonly is_commented: number
}

// uses episodes_work_place and records_user_episode
const episodes = preparedSql<EpisodeRow, Own>(
  (slot) => sql`
    select episodes.id, number, sort_number as sortNumber, watched_at as watchedAt, watched_at_precision as precision, lap,
      has_comment or rating_state is not null or score is not null as is_commented
    from episodes left join records on records.user_id = ${slot('user')} and records.episode_id = episodes.id
    where episodes.work_id = ${slot('work')} and hidden = 0
    order by sort_number, episodes.id`,
)

interface SkipRow {
  readonly episode_id: number
  readonly lap: number
}

// uses episodes_work_place and the key of skips
const skips = preparedSql<SkipRow, Own>(
  (slot) => sql`
    select episode_id, lap from episodes cross join skips on skips.user_id = ${slot('user')} and episode_id = episodes.id
    where work_id = ${slot('work')}`,
)

/** One row per record, and one per episode without any. */
function episodesOf(rows: readonly EpisodeRow[], skipRows: readonly SkipRow[]): readonly EpisodeHere[] {
  const skipped = Map.groupBy(skipRows, ({ episode_id }) => episode_id)
  const found: (EpisodeHere & { readonly records: RecordHere[] })[] = []
  for (const { id, number, sortNumber, watchedAt, precision, lap, is_commented } of rows) {
    const records = found.at(-1)?.id === id ? (found.at(-1)?.records ?? []) : []
    if (found.at(-1)?.id !== id) {
      const skips = skipped.get(id)?.map((skip) => skip.lap) ?? []
      found.push({ id, number: wholeNumber(number), sortNumber, records, skips })
    }
    if (watchedAt !== null) records.push({ watchedAt, precision, lap, isCommented: is_commented === 1 })
  }
  return found
}

const reviews = preparedSql<ReviewHere, Own>(
  (slot) => sql`
    select id, body, rating_overall_state, score, watched_at, watched_at_precision, modified_at, created_at
    from reviews where user_id = ${slot('user')} and work_id = ${slot('work')} order by id`,
)
