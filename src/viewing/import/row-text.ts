import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import type { ListImport } from '../../transfer/batch/list-import'
import type { ImportRow } from '../../transfer/batch/lists'
import { favorites, type ListRow } from '../../transfer/row'
import { ratingText } from '../parts/rating'
import { figure } from './import-visit'

/** `Watched · 26 / 26 · score 8`; '' for a row that was applied. */
export function saidText(pageContext: PageContext, { said }: ImportRow): string {
  const { t } = pageContext
  if (said === null) return ''
  const { status, score, rating, isPrivate } = said
  return [
    ...(status === undefined ? [] : [t.statuses[status]]),
    ...progressText(pageContext, said),
    ...(score === undefined || score.value === 0 ? [] : [t.listImports.score(String(score.value))]),
    ...(rating === undefined ? [] : [ratingText(pageContext, { rating, score: null })]),
    ...(isPrivate ? [t.listImports.reasons.private] : []),
  ].join(t.common.dot)
}

function progressText(
  pageContext: PageContext,
  { progress, watched, plays, total }: ListRow,
): readonly string[] {
  const { t } = pageContext
  const seen = watched?.length ?? (plays?.length ? plays.length : undefined) ?? progress
  if (seen === undefined || seen === 0) return []
  if (total === undefined) return seen === 'all' ? [] : [episodes(pageContext, seen)]
  return [t.listImports.ofAll(figure(pageContext, seen === 'all' ? total : seen), figure(pageContext, total))]
}

const episodes = (pageContext: PageContext, count: number): string =>
  pageContext.t.listImports.sums.records(figure(pageContext, count), count)

/** What applying the row adds, or why it adds nothing. */
export function addsText(pageContext: PageContext, one: ListImport, row: ImportRow): Markup {
  const { t } = pageContext
  switch (row.state) {
    case 'unchanged':
      return html`<span class="soft">${t.listImports.allHere}</span>`
    case 'skipped':
    case 'error':
      return html`<span class="soft">${reasonText(pageContext, row)}</span>`
    case 'not_found':
      return html``
    case 'check':
      return html`${planned(pageContext, row)}<small class="import-reason">${reasonText(pageContext, row)}</small>`
    case 'conflict':
      return difference(pageContext, one, row)
    default:
      return html`${planned(pageContext, row)}`
  }
}

interface Opinion {
  readonly status: StatusKind | null
  readonly rating: RatingState | null
  readonly score: number | null
  readonly reviewBody: string
  readonly hasPrivateNote: boolean
}

const opinionOf = (
  pageContext: PageContext,
  { status, rating, score, reviewBody, hasPrivateNote }: Opinion,
): readonly string[] => [
  ...(status === null ? [] : [pageContext.t.statuses[status]]),
  ...(rating === null && score === null ? [] : [ratingText(pageContext, { rating, score })]),
  ...(reviewBody === '' ? [] : [pageContext.t.listImports.reviewToo]),
  ...(hasPrivateNote ? [pageContext.t.listImports.privateNote] : []),
]

const skipped = (pageContext: PageContext, { skips }: ImportRow['shown']): readonly string[] =>
  skips === 0 ? [] : [pageContext.t.listImports.skips(figure(pageContext, skips), skips)]

/** `26 episodes · Watched · Good` */
function planned(pageContext: PageContext, { shown }: ImportRow): string {
  const { t } = pageContext
  const { added, growsTo, rewatches } = shown
  return [
    ...(added === 0 ? [] : [episodes(pageContext, added)]),
    ...skipped(pageContext, shown),
    ...opinionOf(pageContext, shown),
    ...(rewatches === 0 ? [] : [t.listImports.times(figure(pageContext, rewatches), rewatches)]),
    ...(growsTo === null ? [] : [t.listImports.growsTo(figure(pageContext, growsTo))]),
    ...inLists(pageContext, shown),
  ].join(t.common.dot)
}

const inLists = ({ t }: PageContext, { lists }: ImportRow['shown']): readonly string[] =>
  lists.length === 0
    ? []
    : [t.listImports.inLists(lists.map(({ name }) => listTitle(t, name)).join(t.common.comma))]

/** Favorites have no name. */
export const listTitle = (t: Messages, name: string): string =>
  name === favorites ? t.listImports.favorites : name

function difference(pageContext: PageContext, one: ListImport, { shown }: ImportRow): Markup {
  const { t } = pageContext
  const { here, added } = shown
  const now = [
    ...(here.episodes === 0 ? [] : [episodes(pageContext, here.episodes)]),
    ...opinionOf(pageContext, here),
  ]
  const then = [
    ...(added === 0 ? [] : [t.listImports.adds(figure(pageContext, added), added)]),
    ...skipped(pageContext, shown),
    ...opinionOf(pageContext, one.conflict === 'keep' ? missingHere(shown) : shown),
  ]
  const nothing = [t.listImports.nothingAdded]
  return html`<span>${t.listImports.hereIs((now.length === 0 ? nothing : now).join(t.common.dot))}</span>
    <span>→ ${(then.length === 0 ? nothing : then).join(t.common.dot)}</span>`
}

/** Existing values stay; values that only the file has are added anyway. */
const missingHere = ({ here, ...said }: ImportRow['shown']): Opinion => ({
  status: here.status === null ? said.status : null,
  ...ratingMissing(here, said),
  reviewBody: here.reviewBody === '' ? said.reviewBody : '',
  hasPrivateNote: said.hasPrivateNote && !here.hasPrivateNote,
})

/** A number that only the file has is added to the word that both have. */
function ratingMissing(
  here: Pick<Opinion, 'rating' | 'score'>,
  { rating, score }: Pick<Opinion, 'rating' | 'score'>,
) {
  const isMissing = here.score === null && (here.rating === null || here.rating === rating)
  return isMissing && (here.rating === null || score !== null)
    ? { rating, score }
    : { rating: null, score: null }
}

function reasonText(pageContext: PageContext, { reason, state, shown }: ImportRow): string {
  const { t } = pageContext
  const { fileTotal, catalogueTotal } = shown
  if (state === 'error') return t.listImports.reasons.unreadable(reason ?? '')
  if (reason === 'episode_count_differs')
    return fileTotal === null || catalogueTotal === null
      ? t.listImports.reasons.episode_count
      : t.listImports.reasons.episode_count_differs(
          figure(pageContext, fileTotal),
          figure(pageContext, catalogueTotal),
        )
  return isPlain(t.listImports.reasons, reason) ? t.listImports.reasons[reason] : (reason ?? '')
}

type Reasons = PageContext['t']['listImports']['reasons']
type PlainReason = { [Name in keyof Reasons]: Reasons[Name] extends string ? Name : never }[keyof Reasons]

const isPlain = (reasons: Reasons, reason: string | null): reason is PlainReason =>
  reason !== null && reason in reasons && typeof reasons[reason as keyof Reasons] === 'string'
