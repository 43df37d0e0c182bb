import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { episodeName } from '../parts/episode-name'
import { episodePath, isOnlyOfItsNumber } from '../parts/episode-path'
import type { EpisodeView } from './view'

/** Links to the previous and the next episode of the work. */
export async function neighbours({ visit, episode }: EpisodeView): Promise<Markup> {
  const { deps, t } = visit
  const place = { work: episode.work_id, sort: episode.sort_number, id: episode.id }
  const [[previous], [next]] = await Promise.all([before(deps.read, place), after(deps.read, place)])
  if (previous === undefined && next === undefined) return html``
  const link = (label: string, kind: 'previous' | 'next', one: typeof next) =>
    one === undefined
      ? html`<span></span>`
      : html`<a class="${kind}" rel="${kind === 'next' ? 'next' : 'prev'}" href="${episodePath(visit, one)}">${icon(
          kind === 'next' ? 'next' : 'back',
        )}<span><small>${label}</small><b>${episodeName(visit, one)}</b></span></a>`
  return html`<nav class="neighbours" aria-label="${t.episode.neighbours}">${link(t.episode.previous, 'previous', previous)}${link(t.episode.next, 'next', next)}</nav>`
}

type Place = { work: number; sort: number; id: number }

const neighbour = (sign: '<' | '>', direction: 'asc' | 'desc') =>
  prepared((read, slot: SlotOf<Place>) =>
    read
      .selectFrom('episodes')
      .select(['id', 'work_id', 'number', 'number_text', isOnlyOfItsNumber.as('is_only')])
      // uses episodes_work
      .where('work_id', '=', slot('work'))
      .where('hidden', '=', 0)
      .where(sql<boolean>`(sort_number, id) ${sql.raw(sign)} (${slot('sort')}, ${slot('id')})`)
      .orderBy('sort_number', direction)
      .orderBy('id', direction)
      .limit(1),
  )

const before = neighbour('<', 'desc')
const after = neighbour('>', 'asc')
