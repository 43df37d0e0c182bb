import type { Act } from '../../library/acts/act'
import type { RatingState } from '../../library/ratings'
import { watchedText as keptDate, type Precision, type WatchedColumns } from '../../library/watched'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { definePage, member, type PageRoute } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { defineAct } from '../acts/act-route'
import { impression, ratingState, watchedText, whenChoice } from '../acts/values'
import { watchedBy } from '../acts/watched-choice'
import { type OpinionTexts, typedOpinion } from '../parts/opinion-texts'
import { editForm } from './edit-form'

/** What is being edited; times are epoch milliseconds. */
export interface OwnRow {
  readonly id: number
  readonly text: string
  readonly rating: string | null
  /** Null for a review that is not a viewing. */
  readonly watchedAt: number | null
  readonly precision: Precision
  readonly isDatable: boolean
  readonly subject: Markup
  /** The page that shows it, without the base path. */
  readonly path: string
}

export interface Edit {
  readonly id: number
  readonly text: string
  readonly ratingState: RatingState | null
  /** Undefined leaves it unchanged. */
  readonly watched: WatchedColumns | undefined
}

interface EditedKind {
  readonly kind: 'record' | 'viewing'
  title(visit: MemberVisit, row: OwnRow): string
  /** Undefined if it does not exist or is somebody else's. */
  find(visit: MemberVisit, id: number): Promise<OwnRow | undefined>
  save(visit: MemberVisit, edit: Edit): Promise<Act>
}

/** `/records/501/edit`: the page and the action of its form. */
export function defineEdit(edited: EditedKind): readonly PageRoute[] {
  const path = `/${edited.kind}s/:id/edit`
  return [
    definePage({
      path,
      access: member,
      show: async (visit) => {
        const row = await findRow(edited, visit)
        return page(edited, visit, row, textsOf(row))
      },
    }),
    defineAct({
      path,
      values: {
        comment: impression,
        rating_state: ratingState,
        watched_at: watchedText,
        precision: whenChoice,
      },
      run: (visit, { comment, rating_state, ...when }) => {
        const watched = when.precision === undefined ? undefined : watchedBy(visit, when)
        return edited.save(visit, { id: pathId(visit), text: comment, ratingState: rating_state, watched })
      },
      refuse: async (visit, problem, sent) => {
        const row = await findRow(edited, visit)
        const texts = { ...typedOpinion(sent), return_to: row.path, problem: problem.text(visit.t) }
        return { ...page(edited, visit, row, texts), status: problem.status }
      },
    }),
  ]
}

async function findRow(edited: EditedKind, visit: MemberVisit): Promise<OwnRow> {
  const row = await edited.find(visit, pathId(visit))
  if (row === undefined) throw pageNotFound()
  return row
}

const textsOf = ({ text, rating, path, watchedAt, precision }: OwnRow): OpinionTexts => ({
  comment: text,
  rating_state: rating ?? '',
  watched_at: precision === 'time' || watchedAt === null ? '' : (keptDate(watchedAt, precision) ?? ''),
  precision: '',
  return_to: path,
})

function page(edited: EditedKind, visit: MemberVisit, row: OwnRow, texts: OpinionTexts): PageContent {
  const title = edited.title(visit, row)
  const time =
    row.watchedAt === null ? html`${visit.t.work.noDate}` : watchedTime(visit, row.watchedAt, row.precision)
  const form = {
    act: `edit_${edited.kind}`,
    path: `/${edited.kind}s/${row.id}/edit`,
    title,
    subject: row.subject,
    time: row.isDatable ? time : undefined,
  }
  return { title, main: editForm(visit, form, texts), place: 'find' }
}
