import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { watchedTime } from '../../pages/partial-date'
import { ownMenu } from '../parts/own-menu'
import { ratingMark } from '../parts/rating-mark'
import type { EpisodeView } from './view'

/** One's own records of the episode, from every lap. */
export function ownRecords({ visit, records, lap: current }: EpisodeView): Markup {
  if (records.length === 0) return html``
  const { t } = visit
  const hasLaps = current > 1 || records.some(({ lap }) => lap > 1)
  const entries = records.map((record) => {
    const name = hasLaps ? t.strip.lap(record.lap) : t.episode.recorded
    const text = record.comment === '' ? '' : html`<p class="comment">${record.comment}</p>`
    return html`<li id="record-${record.id}"><div class="byline"><span class="state seen">${icon('check', 14)}${name}</span>
      <span class="meta">${watchedTime(visit, record.watched_at, record.precision)}</span>${ratingMark(visit, record.rating_state)}
      ${ownMenu(visit, { kind: 'record', id: record.id, name: hasLaps ? t.episode.recordOf(name) : t.episode.ownRecord })}</div>${text}</li>`
  })
  return html`<section class="own-records"><h2>${t.episode.own}</h2><ul>${entries}</ul></section>`
}
