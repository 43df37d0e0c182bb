import { fold, withoutMarks } from '../../lib/fold'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { watchedTime } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { returnTarget } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { toListLink } from '../lists/add'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { lock } from '../parts/private-mark'
import { ratingMark } from '../parts/rating'
import { seasonName } from '../parts/season'
import { statusMenu } from '../parts/status'
import { mediumName } from '../work/facts'
import type { FoundWork, LastViewing } from './queries'

interface FoundWorkOfUser extends FoundWork {
  readonly seen: LastViewing | undefined
}

/** Finds a typed text in other texts, comparing like `filter_title` (D17). */
export interface Marker {
  isIn(text: string): boolean
  /** The text with `<mark>` around each occurrence of the typed one. */
  mark(text: string): Markup
}

export function markerOf(typed: string): Marker {
  const sought = withoutMarks(fold(typed))
  const placesIn = (text: string) => (sought === '' ? [] : placesOf(sought, text))
  return {
    isIn: (text) => placesIn(text).length > 0,
    mark: (text) => markPlaces(text, placesIn(text)),
  }
}

/** Two UTF-16 indexes; `to` is exclusive. */
type TextRange = readonly [from: number, to: number]

function placesOf(sought: string, text: string): readonly TextRange[] {
  const letters = lettersOf(text)
  const key = letters.map((letter) => letter.key).join('')
  const starts = letters.flatMap(({ key, from }) => Array.from(key, (unit) => repeated(from, unit)).flat())
  const ends = letters.flatMap(({ key, to }) => Array.from(key, (unit) => repeated(to, unit)).flat())
  const places: TextRange[] = []
  for (let at = key.indexOf(sought); at >= 0; at = key.indexOf(sought, at + sought.length))
    places.push([starts[at] ?? 0, ends[at + sought.length - 1] ?? text.length])
  return joined(places)
}

interface Letter {
  /** Folded; '' for a combining mark. */
  readonly key: string
  readonly from: number
  readonly to: number
}

/** Letters with their combining marks, including half-width voicing: `ガ` and `ｶﾞ` are one letter. */
const lettersOf = (text: string): readonly Letter[] =>
  [...text.matchAll(/[^\p{M}ﾞﾟ][\p{M}ﾞﾟ]*|[\p{M}ﾞﾟ]+/gu)].map(({ 0: letter, index }) => ({
    key: withoutMarks(fold(letter)),
    from: index,
    to: index + letter.length,
  }))

const repeated = (value: number, unit: string): number[] => Array<number>(unit.length).fill(value)

/** Drops overlaps: two occurrences may share a letter whose key is longer than itself, such as `㍿`. */
const joined = (places: readonly TextRange[]): readonly TextRange[] =>
  places.filter(([from], index) => from >= (places[index - 1]?.[1] ?? 0))

function markPlaces(text: string, places: readonly TextRange[]): Markup {
  const pieces = places.map(([from, to], index) => {
    const before = text.slice(places[index - 1]?.[1] ?? 0, from)
    return html`${before}<mark>${text.slice(from, to)}</mark>`
  })
  return html`${pieces}${text.slice(places.at(-1)?.[1] ?? 0)}`
}

/** A work with the match marked in its title, and what the reader can do with it at once. */
export function workRow(visit: Visit, work: FoundWorkOfUser, marker: Marker): Markup {
  const { text, lang } = chosenTitle(visit, work)
  return html`<li class="row" id="row-${work.id}" data-work="${work.id}">
    ${cover(visit, work, 56)}
    <div class="text">
      <a class="name" href="${workPath(visit, work.id)}" lang="${lang}">${marker.mark(text)}</a>
      ${marker.isIn(text) ? '' : otherTitle(work, text, marker)}
      <p class="meta">${facts(visit, work)}</p>
      ${ownViewing(visit, work)}
    </div>
    ${visit.session === undefined ? '' : acting(visit, work, text)}
  </li>`
}

/** The first of its other titles that contains the text, to show why the work was found. */
function otherTitle(work: FoundWork, shown: string, marker: Marker): Markup {
  const others = [
    { text: work.title, lang: 'ja' },
    { text: work.title_ro, lang: 'ja-Latn' },
    { text: work.title_en, lang: 'en' },
    { text: work.title_kana, lang: 'ja' },
    ...aliasesOf(work).map((text) => ({ text, lang: '' })),
  ]
  const other = others.find(({ text }) => text !== shown && marker.isIn(text))
  if (other === undefined) return html``
  const { text, lang } = other
  return html`<p class="meta other"${lang === '' ? '' : html` lang="${lang}"`}>${marker.mark(text)}</p>`
}

const aliasesOf = ({ aliases }: FoundWork): readonly string[] => JSON.parse(aliases)

function facts(visit: Visit, work: FoundWork): Markup {
  const { t } = visit
  const { episodes_count: episodes } = work
  const season = seasonName(visit, work) || t.search.toBeAnnounced
  const known = `${season} · ${mediumName(visit, work.media)}`
  // An estimated list starts with one episode, which says nothing about how many there will be.
  if (episodes <= work.estimated) return html`${known}`
  const estimated = work.estimated === 1 ? html` <span class="estimated">${t.work.estimated}</span>` : ''
  return html`${known} · ${t.search.episodes(episodes)}${estimated}`
}

/** Shows what was logged, so that it is not logged twice. */
function ownViewing(visit: Visit, { seen }: FoundWorkOfUser): Markup {
  if (seen === undefined) return html``
  const { t } = visit
  const { at, precision, times } = seen
  const date = watchedTime(visit, at, precision)
  return html`<p class="meta own">${t.search.seen(times)}${t.common.colon}${date} ${ratingMark(visit, seen)}</p>`
}

/** The status, or buttons for the two to start with. A film is never being watched: it was seen, once or again. */
function acting(visit: Visit, work: FoundWorkOfUser, title: string): Markup {
  const { t } = visit
  const { id, kind, private: mark } = work
  const isFilm = work.no_episodes === 1
  const swap = `#row-${id}`
  const log = isFilm ? logLink(visit, work, title) : html``
  if (kind !== null)
    return html`<div class="acts">${lock(t, mark ?? 0)}${statusMenu(visit, { workId: id, title, kind, swap, private: mark ?? 0 })}${log}${toListLink(visit, id, title)}</div>`
  const button = (status: 'wanna_watch' | 'watching', look: Markup) => {
    const word = t.statuses[status]
    return html`<button class="small ${look}" name="kind" value="${status}" data-focus="status-${id}" aria-label="${t.statuses.setTo(title, word)}">${icon(status === 'watching' ? 'plus' : status, 16)}${word}</button>`
  }
  const form = { act: 'status', path: '/status', fields: { work_id: id }, swap }
  const buttons = html`${button('wanna_watch', html`plan`)}${isFilm ? '' : button('watching', html`outlined`)}`
  return html`<div class="acts">${actForm(visit, form, buttons)}${log}${toListLink(visit, id, title)}</div>`
}

/** Opens the viewing form over the results. */
function logLink(visit: Visit, { id, kind, seen }: FoundWorkOfUser, title: string): Markup {
  const { t, basePath } = visit
  const isAgain = kind === 'watched' || seen !== undefined
  const name = isAgain ? t.work.logOnceMoreName(title) : t.work.logName(title)
  const look = isAgain ? html`quiet` : html`outlined`
  const words = isAgain ? html`${t.work.logOnceMore}` : html`${icon('check', 16)}${t.work.log}`
  return html`<a class="button small ${look}" href="${basePath}/works/${id}/viewing?return_to=${returnTarget(visit)}" data-dialog data-keys="r" data-focus="log-${id}" aria-label="${name}">${words}</a>`
}
