import { ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { spriteIcon } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { partialDate } from '../../pages/partial-date'
import { chosenTitle, titleMarkup } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { lock } from '../parts/private-mark'
import { progressBar } from '../parts/progress-bar'
import { type Rated, ratingMark } from '../parts/rating'
import { seasonName } from '../parts/season'
import { statusMark } from '../parts/status'
import { isChosen, type LibraryView } from './library-view'
import type { ShelfRow } from './shelf'

interface Shown {
  readonly asked: LibraryView
  /** Whether the reader may act on the rows. */
  readonly isOwn: boolean
}

/** What the columns after the title show. */
export type LibraryColumn = 'progress' | 'rating' | 'dates' | 'last' | 'season' | 'status'

/** Depends on the shelf; only the shelf of all works needs their status. */
export function columnsOf({ shelf }: LibraryView): readonly LibraryColumn[] {
  if (shelf === 'watching') return ['progress', 'rating', 'last', 'season']
  if (shelf === 'wanna_watch') return ['season', 'last']
  if (shelf === 'all') return ['status', 'progress', 'rating', 'dates', 'season']
  return ['progress', 'rating', 'dates', 'season']
}

export function shelfRow(visit: Visit, row: ShelfRow, { asked, isOwn }: Shown): Markup {
  const { work } = row
  const cells = columnsOf(asked).map(
    (column) => html`<td class="of-${column}">${cellOf[column](visit, row)}</td>`,
  )
  const chosen = asked.isSelecting
    ? html`<td><input type="checkbox" name="work_${work.id}"${isChosen(asked, work.id) ? html` checked` : ''} aria-label="${chosenTitle(visit, work).text}" /></td>`
    : ''
  const acts =
    isOwn && !asked.isSelecting
      ? html`<td class="acts">${work.hidden === 0 ? html`${recordButton(visit, row)}${datesLink(visit, row)}` : ''}</td>`
      : ''
  return html`<tr id="row-${work.id}" data-work="${work.id}">${chosen}<td>${cover(visit, work, 20)}</td><th scope="row"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a>${lock(visit.t, work.private, spriteIcon)}${work.hidden === 0 ? '' : html` <small class="soft">${visit.t.editing.hiddenWorks}</small>`}</th>${cells}${acts}</tr>`
}

const cellOf: Readonly<Record<LibraryColumn, (visit: Visit, row: ShelfRow) => Markup | string>> = {
  progress: (_, { progress }) =>
    progress === undefined ? '' : html`<span class="amount">${progressBar(progress)}</span>`,
  rating: (visit, { work }) => ratingMark(visit, ratedIn(work), spriteIcon),
  dates: (visit, { work }) => {
    const { started_on, finished_on } = work
    const [from, until] = [started_on, finished_on].map((on) => (on === null ? '' : partialDate(visit, on)))
    if (from === '' && until === '') return ''
    return started_on === finished_on ? html`${from ?? ''}` : html`${from ?? ''}–${until ?? ''}`
  },
  last: (visit, { work }) => shortDay(visit, work.kind === 'wanna_watch' ? work.changed_at : work.last_at),
  season: (visit, { work }) => seasonName(visit, work),
  status: ({ t }, { work }) => statusMark(t, work.kind),
}

/** Of the work as a whole, otherwise the word that its episodes have on average. */
function ratedIn({ rated, average }: ShelfRow['work']): Rated {
  if (rated !== null)
    return { rating: ratingStates[(rated % 8) - 1] ?? null, score: Math.floor(rated / 8) || null }
  return {
    rating: average === null ? null : (ratingStates[Math.round(average / 20) - 2] ?? 'bad'),
    score: null,
  }
}

/** Leaves out the current year. */
function shortDay(visit: Visit, at: number): Markup | string {
  if (at === 0) return ''
  const { year, dayNumber } = readerTime(visit, at)
  const isThisYear = year === readerTime(visit, visit.now).year
  const date = new Date(dayNumber * 86_400_000).toISOString().slice(0, 10)
  return html`<time datetime="${date}">${formatDay(visit, dayNumber, isThisYear ? 'day' : 'dayAndYear')}</time>`
}

/** Submits the form around the table. Empty if there is no next episode. */
function recordButton(visit: Visit, { work, progress }: ShelfRow): Markup | '' {
  const next = progress?.next
  if (work.kind !== 'watching' || next === undefined) return ''
  const episode = episodeName(visit, { number: next.number, number_text: next.numberText })
  return html`<button class="tick${next.hasAired ? ' aired' : ''}" name="episode_id" value="${next.id}" data-focus="record-${work.id}" aria-label="${visit.t.track.record(chosenTitle(visit, work).text, episode)}">${spriteIcon('check')}</button>`
}

function datesLink(visit: Visit, { work }: ShelfRow): Markup {
  const { t, basePath } = visit
  return html`<a class="more" href="${basePath}/works/${work.id}/dates" data-dialog aria-label="${t.library.datesOf(chosenTitle(visit, work).text)}">${spriteIcon('more')}</a>`
}
