import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { type RatingState, ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { ratingMark } from '../parts/rating-mark'
import type { EpisodeView } from './view'

/** How users rated the episode: bars, or a sentence as long as there are few ratings. */
export async function distribution({ visit, episode }: EpisodeView): Promise<Markup> {
  const rows = await ratingsOf(visit.deps.read, { episode: episode.id })
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return html``
  if (total < enough) return html`<p class="meta">${visit.t.episode.fewRatings(total)}</p>`
  const most = Math.max(...counts.values())
  return html`<ul class="distribution">${bestFirst.map((state) => bar(visit, state, counts.get(state) ?? 0, most))}</ul>`
}

const enough = 5

const bestFirst = [...ratingStates].reverse()

function bar(pageContext: EpisodeView['visit'], state: RatingState, count: number, most: number) {
  const width = Math.round((1000 * count) / most) / 10
  const kind = count === most ? 'most' : 'less'
  return html`<li>${ratingMark(pageContext, state)}<svg class="${kind}" width="100%" height="12" aria-hidden="true"><rect width="${width}%" height="12" rx="3" /></svg><b>${count}</b></li>`
}

// uses records_episode
const ratingsOf = prepared((read, slot: SlotOf<{ episode: number }>) =>
  read
    .selectFrom('records')
    .select([sql<RatingState>`rating_state`.as('state'), sql<number>`count(*)`.as('count')])
    .where('episode_id', '=', slot('episode'))
    .where('rating_state', 'is not', null)
    .groupBy('rating_state'),
)
