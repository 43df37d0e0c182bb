import type { MergeableKind } from '../../catalogue/edit/merges'
import { matchEpisodes } from '../../catalogue/import/merge/rows'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { table } from '../../pages/table'
import type { MemberVisit } from '../../web/visit'
import { shownValue } from '../editing/page'
import {
  bothStatuses,
  type ComparedRows,
  doubtfulFields,
  episodesOfWork,
  type MergedField,
  movedRows,
  type PreviewedEpisode,
} from './preview'

/** What moves, in numbers. */
export async function movedBox(
  { deps, t, language }: MemberVisit,
  kind: MergeableKind,
  { stays, goes }: ComparedRows,
): Promise<Markup> {
  const rows = await movedRows(deps.read, { kind, from: goes.id, to: stays.id })
  const [both] = kind === 'work' ? await bothStatuses(deps.read, { from: goes.id, to: stays.id }) : []
  const figure = (count: number) => count.toLocaleString(language)
  const shown = rows.filter(({ name, move, stay }) => move + stay > 0 || alwaysShown.has(name))
  const line = ({ name, move, stay }: (typeof rows)[number]) => {
    const doubled = name === 'statuses' ? (both?.people ?? 0) : 0
    return html`<div data-moves="${name}" data-count="${move}"><dt>${t.merging.moves[name]}</dt><dd class="meta">${t.merging.move(figure(move))}</dd><dd class="number">${figure(move + stay - doubled)}</dd></div>`
  }
  const people =
    both === undefined || both.people === 0
      ? ''
      : html`<p class="warning">${icon('warning', 20)}${t.merging.both(both.people)}</p>`
  return html`<dl class="moves">${shown.map(line)}</dl>${people}`
}

const alwaysShown: ReadonlySet<string> = new Set(['records', 'statuses', 'reviews'])

/** What makes it doubtful that they are one. */
export async function warnings(
  visit: MemberVisit,
  kind: MergeableKind,
  { stays, goes }: ComparedRows,
  fields: readonly MergedField[],
): Promise<Markup | ''> {
  const { t } = visit
  const doubts = doubtfulFields(fields).map(
    ({ field, stays: own, goes: other }) =>
      html`<li>${field.label(t)}${t.common.colon}${shownValue(visit, field, own)} / ${shownValue(visit, field, other)}</li>`,
  )
  if (kind !== 'work' || doubts.length === 0 || stays.id === goes.id) return ''
  return html`<div class="warning">${icon('warning', 20)}<div>${t.merging.doubt}<ul>${doubts}</ul></div></div>`
}

/** Which episodes are the same, in spans that follow each other. */
export async function matchedBox(
  { deps, t }: MemberVisit,
  kind: MergeableKind,
  { stays, goes }: ComparedRows,
): Promise<Markup | ''> {
  if (kind !== 'work') return ''
  const [own, others] = [
    await episodesOfWork(deps.read, { work: stays.id }),
    await episodesOfWork(deps.read, { work: goes.id }),
  ]
  const pairs = matchEpisodes(others, own)
  const twinOf = new Map(pairs.map(({ from, to }) => [to, others.find(({ id }) => id === from)]))
  const twins = new Set(pairs.map(({ from }) => from))
  const rows: readonly SpannedEpisode[] = [
    ...own.map((one) => ({ one, other: twinOf.get(one.id) })),
    ...others.filter(({ id }) => !twins.has(id)).map((other) => ({ one: undefined, other })),
  ]
  if (rows.length === 0) return ''
  const words = (span: EpisodeSpan, side: 'one' | 'other') => {
    const some = span.flatMap((row) => row[side] ?? [])
    const recorded = some.filter(({ records_count }) => records_count > 0).length
    if (some.length === 0) return '–'
    return recorded === 0 ? String(some.length) : t.merging.recorded(some.length, recorded)
  }
  const spans = spansOf(rows).slice(0, mostSpans)
  return html`<h2>${t.merging.episodesTitle} <small>${t.merging.matchedBy}</small></h2>${table(spans, [
    [t.merging.episodesTitle, spanName],
    [t.merging.stays, (span) => words(span, 'one')],
    [t.merging.goes, (span) => words(span, 'other')],
    [t.merging.outcome, (span) => t.merging.episodes[outcome(span[0])]],
  ])}`
}

const mostSpans = 50

interface SpannedEpisode {
  /** Of the work that stays, and of the other. */
  readonly one: PreviewedEpisode | undefined
  readonly other: PreviewedEpisode | undefined
}

type EpisodeSpan = readonly [SpannedEpisode, ...SpannedEpisode[]]

function outcome({ one, other }: SpannedEpisode): 'matched' | 'stay' | 'move' {
  if (one === undefined) return 'move'
  return other === undefined ? 'stay' : 'matched'
}

function spansOf(rows: readonly SpannedEpisode[]): readonly EpisodeSpan[] {
  const spans: [SpannedEpisode, ...SpannedEpisode[]][] = []
  for (const row of rows) {
    const last = spans.at(-1)
    if (last !== undefined && outcome(last[0]) === outcome(row)) last.push(row)
    else spans.push([row])
  }
  return spans
}

function spanName(span: EpisodeSpan): string {
  const name = ({ one, other }: SpannedEpisode) => {
    const shown = one ?? other
    // Or the same sign as where there is no episode: a head of a row is never empty.
    return shown?.number ?? (shown?.text || shown?.title || '–')
  }
  const [first, last] = [name(span[0]), name(span.at(-1) ?? span[0])]
  return span.length === 1 ? first : `${first}–${last}`
}
