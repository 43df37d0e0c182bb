import { ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { episodeName } from '../parts/episode-name'
import { personLink } from '../parts/person'
import { ratingText } from '../parts/rating-mark'
import { type Viewer, viewersOf } from './people-queries'
import type { WorkView } from './view'

/** Who else here watches it and how far they are; visitors see nobody (D64). */
export async function peopleHere({ visit, work, userId }: WorkView): Promise<Markup> {
  if (visit.session === undefined) return html``
  const viewers = await viewersOf(visit.deps.read, { user: userId, work: work.id })
  if (viewers.length === 0) return html``
  const { pageContext } = visit
  const rows = viewers.map(
    (viewer) =>
      html`<li>${personLink(pageContext, viewer)}<span class="meta">${progressWords(pageContext, viewer)}</span></li>`,
  )
  return html`<section><h2>${pageContext.t.work.peopleHere}</h2><ul class="people">${rows}</ul></section>`
}

type Context = WorkView['visit']['pageContext']

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
