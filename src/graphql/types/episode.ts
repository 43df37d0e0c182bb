import { type RawBuilder, sql } from 'kysely'
import { followingEpisode, previousEpisode, episode as restEpisode } from '../../catalogue/episodes'
import { annictId, column, fieldsOf, isOne, one, ref, wholeNumber } from '../declare/fields'
import { defineType } from '../declare/type'
import { recordsBy } from '../filters/records'

const field = fieldsOf(restEpisode)

/** Includes hidden episodes that somebody has recorded (D42). */
const isMet = sql<boolean>`(episodes.hidden = 0
  or exists (select 1 from records where records.episode_id = episodes.id))`

// uses records_user_episode
const ofViewer = (viewer: RawBuilder<number>) =>
  sql`from records where records.user_id = ${viewer} and records.episode_id = episodes.id`

// uses records_episode
const satisfaction = sql<number | null>`(
  select avg(case rating_state when 'bad' then 0.0 when 'average' then 50.0 else 100.0 end)
  from main.records where records.episode_id = episodes.id and withheld = 0 and rating_state is not null)`

export const episode = defineType('Episode', {
  table: 'episodes',
  isShown: () => isMet,
  merges: 'episodes',
  fields: {
    annictId,
    nextEpisode: one('Episode', 'nextEpisode', () => followingEpisode),
    number: field('Int', 'number', wholeNumber),
    numberText: field('String', 'number_text'),
    prevEpisode: one('Episode', 'prevEpisode', () => previousEpisode),
    recordCommentsCount: field('Int!', 'record_comments_count'),
    records: recordsBy('records.episode_id'),
    recordsCount: field('Int!', 'records_count'),
    satisfactionRate: column('Float', 'satisfactionRate', () => satisfaction),
    sortNumber: field('Int!', 'sort_number'),
    title: field('String', 'title'),
    viewerDidTrack: column(
      'Boolean!',
      'viewerDidTrack',
      (viewer) => sql`exists (select 1 ${ofViewer(viewer)})`,
      isOne,
    ),
    viewerRecordsCount: column(
      'Int!',
      'viewerRecordsCount',
      (viewer) => sql`(select count(*) ${ofViewer(viewer)})`,
    ),
    work: one('Work!', 'work', ref('episodes.work_id')),
  },
})
