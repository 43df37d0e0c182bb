import { type RawBuilder, sql } from 'kysely'
import { seenBy } from '../../db/guard/audience'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { ratingStates } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { PicturedUser } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { episodeName } from '../parts/episode-name'
import { personLink } from '../parts/opinion'
import { ratingText } from '../parts/rating'
import type { WorkView } from './view'

/** Who else here is watching it, and how far they are; visitors see nobody (D64). */
export async function peopleHere({ visit, work, userId }: WorkView): Promise<Markup> {
  if (visit.session === undefined) return html``
  const viewers = await viewersOf(visit.deps.crowd, { user: userId, work: work.id })
  if (viewers.length === 0) return html``
  const rows = viewers.map(
    (viewer) =>
      html`<li>${personLink(visit, viewer)}<span class="meta">${progressWords(visit, viewer)}</span></li>`,
  )
  return html`<section><h2>${visit.t.work.peopleHere}</h2><ul class="people">${rows}</ul></section>`
}

type Context = WorkView['visit']

function progressWords(pageContext: Context, { kind, rating, number, number_text }: Viewer): string {
  const { t } = pageContext
  const episode = number_text === null ? '' : episodeName(pageContext, { number, number_text })
  const state = ratingStates.find((one) => one === rating)
  const rated = state === undefined ? '' : ratingText(pageContext, state)
  const word = kind === null ? '' : t.statuses[kind]
  const place = kind === 'watched' ? '' : episode
  const status = kind === 'watching' && place !== '' ? '' : word
  return [place, status, rated].filter((one) => one !== '').join(t.common.dot)
}

interface Viewer extends PicturedUser {
  readonly kind: StatusKind | null
  readonly rating: string | null
  readonly number: string | null
  readonly number_text: string | null
}

/** At most six users: first those the reader follows, then those who recorded, reviewed or watch the work. */
const viewersOf = preparedSql(
  (slot: SlotOf<{ user: number; work: number }>): RawBuilder<Viewer> => sql<Viewer>`
    with near as (
      select followed_id as user_id, 0 as distance from follows
        join statuses on statuses.user_id = followed_id and statuses.work_id = ${slot('work')}
        where follower_id = ${slot('user')} and statuses.kind <> 'wanna_watch'
      union all select * from (select user_id, 1 from records where work_id = ${slot('work')} order by id desc limit 60)
      union all select * from (select user_id, 2 from reviews where work_id = ${slot('work')} order by id desc limit 20)
      union all select * from (
        select user_id, 3 from statuses where work_id = ${slot('work')} and kind in ('watched', 'watching') limit 20)
    ), chosen as (
      select users.id, username, avatar_url, min(distance) as distance from near join users on users.id = near.user_id
      where users.id <> ${slot('user')} and users.disabled_at is null
        and not exists (select 1 from mutes where mutes.user_id = ${slot('user')} and muted_id = users.id)
      group by users.id order by min(distance), users.id limit 6
    )
    select username, avatar_url, kind, number, number_text, (
      select rating_overall_state from ${seenBy('reviews', 'reviews_user')} where user_id = chosen.id and work_id = ${slot('work')}
        and rating_overall_state is not null order by id desc limit 1) as rating
    from chosen
    left join statuses on statuses.user_id = chosen.id and statuses.work_id = ${slot('work')}
    left join episodes on episodes.id = (
      select episode_id from ${seenBy('records', 'records_user')} where records.user_id = chosen.id and records.work_id = ${slot('work')}
      order by records.id desc limit 1)
    order by distance, chosen.id`,
)
