import { dayOf } from './file-dates'
import type { Here } from './here'
import type { PlannedWork } from './plan-work'
import type { ShownRow } from './planned-row'
import type { RowToPlan } from './row-to-plan'
import type { Said } from './said'

interface ToShow {
  readonly said: Said
  readonly work: PlannedWork | null
  readonly warnings: readonly string[]
}

/** What a preview shows of a row: what the file says, the outcome, and what exists here. */
export function shownOf(toPlan: RowToPlan, { said, work, warnings }: ToShow): Omit<ShownRow, 'changes'> {
  const { match } = toPlan
  const episodes = work?.episodes
  return {
    matchedBy: match.matchedBy,
    status: said.status ?? work?.derived ?? null,
    episodes: episodes?.watched ?? 0,
    added: episodes?.records.length ?? 0,
    skips: episodes?.skips.length ?? 0,
    growsTo: episodes?.growsTo ?? null,
    rating: said.rating,
    hasUnknownScale: said.hasUnknownScale,
    reviewBody: said.note,
    hasPrivateNote: (match.row.own?.note?.text ?? '') !== '',
    startedOn: said.startedOn,
    finishedOn: said.finishedOn ?? lastViewing(toPlan, work),
    rewatches: said.rewatches,
    records: episodes?.shown ?? [],
    here: shownHere(work?.here),
    proposals: match.proposals,
    ...totals(match.row.total, work?.here),
    warnings,
  }
}

function lastViewing({ options, now }: RowToPlan, work: PlannedWork | null): string | null {
  const last = work?.viewings.plays.findLast(({ moment }) => moment !== null)?.moment
  return last ? dayOf(last.at, { now, timeZone: options.timeZone }) : null
}

function shownHere(here: Here | undefined): ShownRow['here'] {
  const review = newestFilled(here?.reviews ?? [])
  return {
    status: here?.status?.kind ?? null,
    episodes: here?.episodes.filter(({ records }) => records.length > 0).length ?? 0,
    rating: review?.rating_overall_state ?? null,
    reviewBody: review?.body ?? '',
    hasPrivateNote: (here?.note ?? null) !== null,
  }
}

const newestFilled = (reviews: Here['reviews']) =>
  reviews.findLast(({ body, rating_overall_state }) => body !== '' || rating_overall_state !== null)

/** Null if they agree. */
function totals(
  total: number | undefined,
  here: Here | undefined,
): Pick<ShownRow, 'fileTotal' | 'catalogueTotal'> {
  const listed = here?.episodes.length ?? 0
  return total === undefined || here === undefined || here.isViewed || total === listed
    ? { fileTotal: null, catalogueTotal: null }
    : { fileTotal: total, catalogueTotal: listed }
}
