import { type RawValues, textOrBlank } from '../../http/request-values'
import { type StatusKind, statusKinds } from '../../library/statuses'
import { positiveInteger, wholeNumber } from '../../values/number'
import { readIfValid } from '../../values/value'
import { pageNotFound } from '../../web/problem'
import { queryText, type Visit } from '../../web/visit'

export const shelves = ['watching', 'wanna_watch', 'watched', 'on_hold', 'stop_watching', 'all'] as const
export type Shelf = StatusKind | 'all'

export const sorts = ['recent', 'changed', 'title', 'season', 'progress', 'rating'] as const
export type LibrarySort = (typeof sorts)[number]

export const media = ['tv', 'movie', 'ova', 'web', 'other'] as const

export interface LibraryView {
  readonly shelf: Shelf
  readonly sort: LibrarySort
  readonly view: 'table' | 'covers'
  readonly medium: string
  readonly year: number
  readonly text: string
  readonly page: number
  /** Whether works are being selected, to set the status of several. */
  readonly isSelecting: boolean
  /** All of them, including those on other pages. */
  readonly isSelectingAll: boolean
  /** Ids of works selected individually, on this and on other pages. */
  readonly chosen: ReadonlySet<number>
}

/** An unknown shelf is not found; other invalid values are ignored. */
export function libraryViewOf(visit: Visit): LibraryView {
  const shelf = [...statusKinds, 'all' as const].find((one) => one === visit.params.status)
  if (shelf === undefined) throw pageNotFound()
  return {
    shelf,
    sort: sorts.find((one) => one === queryText(visit, 'sort')) ?? usualSort(shelf),
    view: queryText(visit, 'view') === 'covers' ? 'covers' : 'table',
    medium: media.find((one) => one === queryText(visit, 'media')) ?? '',
    year: readIfValid(years, queryText(visit, 'year')) ?? 0,
    text: queryText(visit, 'q').trim().slice(0, 100),
    page: readIfValid(positiveInteger, queryText(visit, 'page')) ?? 1,
    isSelecting: queryText(visit, 'select') !== '',
    isSelectingAll: queryText(visit, 'select') === 'all',
    // The script keeps the selection in the address, so that it survives reloading.
    chosen: new Set(idsIn(queryText(visit, 'works').split(','))),
  }
}

const years = wholeNumber(1900, 9998)

const usualSort = (shelf: Shelf): LibrarySort => (shelf === 'wanna_watch' ? 'changed' : 'recent')

/** Ids of works from checkboxes named `work_10079`, and of works on other pages, comma-separated in `works`. */
export function chosenIn(sent: RawValues): readonly number[] {
  const names = [...sent.keys()].filter((name) => name.startsWith('work_'))
  const texts = names.map((name) => name.slice('work_'.length))
  return idsIn([...texts, ...textOrBlank(sent, 'works').split(',')])
}

const idsIn = (texts: readonly string[]): readonly number[] =>
  texts.flatMap((text) => readIfValid(positiveInteger, text) ?? [])

/** The query string for a view, with `?`; '' for the default. */
export function queryOf({
  shelf,
  sort,
  view,
  medium,
  year,
  text,
  isSelecting,
  isSelectingAll,
}: Partial<LibraryView> & { shelf: Shelf }): string {
  const sent = new URLSearchParams()
  if (text) sent.set('q', text)
  if (medium) sent.set('media', medium)
  if (year) sent.set('year', String(year))
  if (sort !== undefined && sort !== usualSort(shelf)) sent.set('sort', sort)
  if (view === 'covers') sent.set('view', view)
  if (isSelecting) sent.set('select', isSelectingAll ? 'all' : '1')
  return sent.size === 0 ? '' : `?${sent}`
}

export const isChosen = ({ isSelectingAll, chosen }: LibraryView, id: number): boolean =>
  isSelectingAll || chosen.has(id)

export const isFiltered = ({ medium, year, text }: LibraryView): boolean =>
  medium !== '' || year !== 0 || text !== ''
