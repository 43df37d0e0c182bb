import { type ExportSection, exportSection, withWork } from './section'

const records = exportSection(
  'records',
  (read, userId) =>
    read
      .selectFrom('records')
      .innerJoin('works', 'works.id', 'records.work_id')
      .innerJoin('episodes', 'episodes.id', 'records.episode_id')
      .select(['records.id as place', 'records.id', 'records.work_id', 'works.title as work_title'])
      .select(['episode_id', 'number', 'sort_number', 'number_text', 'episodes.title as episode_title'])
      .select(['comment', 'rating'])
      .select(['rating_state', 'is_modified', 'likes_count', 'share_twitter', 'share_facebook'])
      .select(['watched_at', 'watched_at_precision', 'lap', 'records.created_at', 'records.private'])
      .select('records.score')
      .where('records.user_id', '=', userId), // uses records_user
  ({ work_id, work_title, episode_id, number, sort_number, number_text, episode_title, ...row }) => ({
    ...row,
    work: { id: work_id, title: work_title },
    episode: { id: episode_id, number, sort_number, number_text, title: episode_title },
    watched_at: knownTime(row),
    is_modified: row.is_modified === 1,
    private: row.private === 1,
    share_twitter: row.share_twitter === 1,
    share_facebook: row.share_facebook === 1,
  }),
)

/** For an unknown time, the column holds when the row was written. */
const knownTime = ({ watched_at, watched_at_precision }: WatchedColumns) =>
  watched_at_precision === 'none' ? null : watched_at

interface WatchedColumns {
  readonly watched_at: number | null
  readonly watched_at_precision: string | null
}

const reviews = exportSection(
  'reviews',
  (read, userId) =>
    read
      .selectFrom('reviews')
      .innerJoin('works', 'works.id', 'reviews.work_id')
      .select(['reviews.id as place', 'reviews.id', 'work_id', 'works.title as work_title', 'body'])
      .select(['rating_animation_state', 'rating_music_state', 'rating_story_state'])
      .select(['rating_character_state', 'rating_overall_state', 'likes_count'])
      .select(['share_twitter', 'share_facebook', 'watched_at', 'watched_at_precision'])
      .select(['modified_at', 'created_at', 'private', 'score'])
      .where('user_id', '=', userId), // uses reviews_user
  ({ work_id, work_title, ...row }) => ({
    ...row,
    work: { id: work_id, title: work_title },
    watched_at: knownTime(row),
    share_twitter: row.share_twitter === 1,
    share_facebook: row.share_facebook === 1,
    private: row.private === 1,
  }),
)

const statuses = exportSection(
  'statuses',
  (read, userId) =>
    read
      .selectFrom('statuses')
      .innerJoin('works', 'works.id', 'statuses.work_id')
      .select(['work_id as place', 'work_id', 'title', 'kind', 'changed_at', 'started_on', 'finished_on'])
      .select(['rewatches', 'statuses.private'])
      .where('user_id', '=', userId),
  ({ private: mark, ...row }) => ({ ...withWork(row), private: mark === 1 }),
)

/** Includes works whose status was removed. */
const libraryEntries = exportSection('library_entries', (read, userId) =>
  read.selectFrom('library_entries').select(['id as place', 'id', 'work_id']).where('user_id', '=', userId),
)

const activities = exportSection(
  'activities',
  (read, userId) =>
    read
      .selectFrom('activities')
      .select([
        'id as place',
        'id',
        'action',
        'work_id',
        'record_id',
        'review_id',
        'status_kind',
        'created_at',
      ])
      .select(({ selectFrom, fn }) =>
        selectFrom('activity_records')
          .select(fn.agg<string>('json_group_array', ['record_id']).as('ids'))
          .whereRef('activity_id', '=', 'activities.id')
          .as('record_ids'),
      )
      .where('user_id', '=', userId), // uses activities_user
  ({ record_id, record_ids, ...row }) => ({
    ...row,
    record_ids: record_id === null ? JSON.parse(record_ids ?? '[]') : [record_id],
  }),
)

const favorites = exportSection(
  'favorites',
  (read, userId) =>
    read
      .selectFrom('favorites')
      .leftJoin('works', 'works.id', 'work_id')
      .leftJoin('characters', 'characters.id', 'character_id')
      .leftJoin('people', 'people.id', 'person_id')
      .leftJoin('organizations', 'organizations.id', 'organization_id')
      .select([
        'favorites.id as place',
        'work_id',
        'position',
        'character_id',
        'person_id',
        'organization_id',
      ])
      .select('created_at')
      .select(({ fn }) =>
        fn.coalesce('works.title', 'characters.name', 'people.name', 'organizations.name').as('name'),
      )
      .where('user_id', '=', userId), // uses favorites_user
)

const channels = exportSection('channels', (read, userId) =>
  read
    .selectFrom('user_channels')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select(['channel_id as place', 'channel_id as id', 'name'])
    .where('user_id', '=', userId),
)

export const librarySections: readonly ExportSection[] = [
  records,
  reviews,
  statuses,
  libraryEntries,
  activities,
  favorites,
  channels,
]
