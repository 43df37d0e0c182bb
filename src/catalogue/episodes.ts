import { sql } from 'kysely'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { nested, nestedOrNull } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { defineResource } from '../api/resource'
import { boolean, integer, text } from '../api/schema'
import { byId, byIds, bySortNumber, byWork } from './filters'
import { shown } from './shown'
import { work } from './works'

export const episode = defineResource('Episode', 'episodes', ({ from }) => ({
  id: integer('Episode id', 2001),
  number: nullable(text('Number', '1')),
  number_text: text('Displayed number', '第1話'),
  sort_number: integer('Sort key of episodes', 10),
  title: text('Subtitle', '冒険の終わり'),
  records_count: integer('Records'),
  record_comments_count: integer('Records with a comment'),
  estimated: from(
    boolean(
      'Extension: whether it is estimated from dates or added by a member, instead of listed by a source',
      false,
    ),
    ['estimated'],
    (row) => row.estimated === 1,
  ),
}))

// Neighbours by sort_number, then id (D22). Both use episodes_work.
export const previousEpisode = sql<number | null>`(
  select id from episodes as e where e.work_id = episodes.work_id and e.hidden = 0
    and (e.sort_number, e.id) < (episodes.sort_number, episodes.id)
  order by e.sort_number desc, e.id desc limit 1)`

export const followingEpisode = sql<number | null>`(
  select id from episodes as e where e.work_id = episodes.work_id and e.hidden = 0
    and (e.sort_number, e.id) > (episodes.sort_number, episodes.id)
  order by e.sort_number, e.id limit 1)`

export const episodeItem = defineItem('episodes', episode, {
  work: nested(work, (eb) => eb.ref('episodes.work_id')),
  prev_episode: nestedOrNull(episode, () => previousEpisode),
  next_episode: nestedOrNull(episode, () => followingEpisode),
})

export const episodes = defineList({
  path: '/v1/episodes',
  tag: 'Catalogue',
  summary: 'Episodes of works',
  key: 'episodes',
  item: episodeItem,
  rows: shown('episodes'),
  filters: { filter_ids: byIds('episodes'), filter_work_id: byWork('episodes') },
  sorts: { sort_id: byId, sort_sort_number: bySortNumber },
})
