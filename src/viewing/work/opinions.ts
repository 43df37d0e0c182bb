import { html, type Markup } from '../../pages/html'
import { queryText, type Visit } from '../../web/visit'
import { episodeName } from '../parts/episode-name'
import { episodePath } from '../parts/episode-path'
import { type Opinion, opinionEntry } from '../parts/opinion'
import { guardsSpoilers, spoilerFold } from '../parts/spoilers'
import { mostLikedRecords, newestRecords, reviewsOfWork } from './opinion-queries'
import type { WorkView } from './view'

const most = 10

/** In characters. */
export const textLimit = (visit: Visit): number =>
  queryText(visit, 'texts') === 'whole' ? Number.POSITIVE_INFINITY : 280

interface Found extends Opinion {
  readonly subject: string
  readonly path: string
  readonly wasSeen: boolean
  readonly createdAt: number
}

/**
 * What others wrote, most liked first, then newest; no texts about what the reader has not seen, none for visitors (D64).
 */
export async function workOpinions(view: WorkView): Promise<Markup> {
  const { visit } = view
  const { t } = visit
  if (visit.session === undefined) return html``
  const found = [...(await recordsIn(view)), ...(await reviewsIn(view))]
    .sort((a, b) => b.likes_count - a.likes_count || b.createdAt - a.createdAt)
    .slice(0, most)
  if (found.length === 0) return html``
  const isGuarding = guardsSpoilers(visit)
  const isOpen = (one: Found) => !isGuarding || one.wasSeen
  const [open, guarded] = [found.filter(isOpen), found.filter((one) => !isOpen(one))]
  const limit = textLimit(visit)
  const entries = (some: readonly Found[], isGuarded: boolean) =>
    some.length === 0
      ? ''
      : html`<ul class="opinions">${some.map((one) => opinionEntry(visit, one, { ...one, isGuarded, limit }))}</ul>`
  const fold =
    guarded.length === 0
      ? ''
      : spoilerFold(visit, t.work.guarded(guarded.length), t.work.guardedHint(guarded.length))
  return html`<section id="opinions" class="of-others"><h2>${t.work.opinions}</h2>${entries(open, false)}${fold}${entries(guarded, true)}</section>`
}

async function recordsIn({ visit, work, userId, progress }: WorkView): Promise<Found[]> {
  const { deps } = visit
  const asked = { user: userId, work: work.id }
  const rows = [...(await mostLikedRecords(deps.read, asked)), ...(await newestRecords(deps.read, asked))]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].map((row) => {
    const is_only = Number(progress.numbers.get(row.number ?? '') === 1)
    const address = { id: row.episode_id, work_id: work.id, number: row.number, is_only }
    return {
      ...row,
      kind: 'record',
      subject: episodeName(visit, row),
      path: `${episodePath(visit, address)}?record=${row.id}`,
      wasSeen: row.was_seen === 1,
      createdAt: row.created_at,
    }
  })
}

async function reviewsIn({ visit, work, userId, own }: WorkView): Promise<Found[]> {
  const { t, basePath } = visit
  const rows = await reviewsOfWork(visit.deps.read, { user: userId, work: work.id })
  return rows.map((row) => ({
    ...row,
    kind: 'review',
    at: row.watched_at ?? row.created_at,
    subject: t.work.whole,
    path: `${basePath}/works/${work.id}?texts=whole#review-${row.id}`,
    wasSeen: own.kind === 'watched',
    createdAt: row.created_at,
  }))
}
