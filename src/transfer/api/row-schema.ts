import Type, { type Static } from 'typebox'
import { nullable } from '../../api/paging'
import { dateTime, integer, text, word } from '../../api/schema'
import { isoTime } from '../../lib/time'
import { ratingStates } from '../../library/ratings'
import { statusKinds } from '../../library/statuses'
import { precisions } from '../../library/watched'
import type { ImportRow } from '../batch/lists'
import { matchWays } from '../match/match'
import { rowStates, type ShownRow } from '../plan/planned-row'

const rating = nullable(word(ratingStates, 'Rating'))
const score = nullable(integer('Score from 1 to 100', 85))
const status = nullable(word(statusKinds, 'Status of the work'))

export const rowSchema = Type.Object({
  row: integer('Its number, from 1 in the order of the file', 1),
  source_id: text('Id at the source', '37517'),
  title: text('Title in the file', 'ハッピーシュガーライフ'),
  state: word(rowStates, 'State of the row'),
  reason: nullable(text('Why it must be checked or was skipped; for an error, the field')),
  matched_by: nullable(word(matchWays, 'How the work was matched')),
  work_id: nullable(integer('The work; for a row to check, the one used if it is accepted', 5813)),
  status,
  episodes: integer('Number of episodes with a record afterwards', 12),
  grows_to: nullable(integer('Number of episodes that the list of the work grows to')),
  rating,
  score,
  review_body: text('Body of the review'),
  started_on: nullable(text('When it was begun, as precisely as known', '2023-04-07')),
  finished_on: nullable(text('When it was finished', '2023-06-23')),
  rewatches: integer('Number of rewatches'),
  lists: Type.Array(Type.String(), {
    description: 'The lists of the file that it is in; a blank name stands for the favorites',
  }),
  records: Type.Array(
    Type.Object({
      episode: integer('Position among the episodes, from 1', 1),
      watched_at: nullable(dateTime('When it was watched')),
      watched_at_precision: word(precisions, 'Precision of that date or time'),
      lap: integer('Lap (time through the work)', 1),
      rating_state: rating,
      comment: text('Comment'),
    }),
    { description: 'Plays that have their own time, rating or comment; the first hundred' },
  ),
  here: Type.Object(
    {
      status,
      episodes: integer('Episodes with a record'),
      rating,
      score,
      review_body: text('Body of the newest review'),
    },
    { description: 'The caller’s current data for the work' },
  ),
  file_total: nullable(integer('Number of episodes according to the file')),
  catalogue_total: nullable(integer('Number of episodes known here')),
  warnings: Type.Array(Type.String(), { description: 'Parts of the row that were left out' }),
  continues_at: nullable(
    integer('The number here of episode 1 of its season, chosen or proposed: episode_offset + 1', 29),
  ),
  proposals: Type.Array(
    Type.Object({
      work_id: integer('The work'),
      title: text('Title'),
      year: nullable(integer('Year of its season', 2018)),
      media: text('Medium', 'tv'),
    }),
    { description: 'Possible works, the most likely first' },
  ),
})

export type ShownProposal = Static<typeof rowSchema>['proposals'][number]

/** `proposals` maps ids to works. */
export function shownRow(
  { number, sourceId, title, state, reason, workId, shown, continuesAt }: ImportRow,
  proposals: ReadonlyMap<number, ShownProposal>,
): Static<typeof rowSchema> {
  return {
    row: number,
    source_id: sourceId,
    title,
    state,
    reason,
    matched_by: shown.matchedBy,
    work_id: workId,
    status: shown.status,
    episodes: shown.episodes,
    grows_to: shown.growsTo,
    rating: shown.rating,
    score: shown.score,
    review_body: shown.reviewBody,
    started_on: shown.startedOn,
    finished_on: shown.finishedOn,
    rewatches: shown.rewatches,
    lists: shown.lists.map(({ name }) => name),
    records: shown.records.map(shownRecord),
    here: {
      status: shown.here.status,
      episodes: shown.here.episodes,
      rating: shown.here.rating,
      score: shown.here.score,
      review_body: shown.here.reviewBody,
    },
    file_total: shown.fileTotal,
    catalogue_total: shown.catalogueTotal,
    warnings: [...shown.warnings],
    continues_at: continuesAt,
    proposals: shown.proposals.flatMap((id) => proposals.get(id) ?? []),
  }
}

const shownRecord = ({
  episode,
  watchedAt,
  precision,
  lap,
  ratingState,
  comment,
}: ShownRow['records'][number]) => ({
  episode,
  watched_at: watchedAt === null ? null : isoTime(watchedAt),
  watched_at_precision: precision,
  lap,
  rating_state: ratingState,
  comment,
})
