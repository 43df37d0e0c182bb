import { sql } from 'kysely'
import { survivor } from '../catalogue/survivors'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import { notFound } from '../http/errors'
import type { PageRange } from '../paging/query-plan'
import type { ProposedWork } from './decide'
import { type DeliverDeps, deliver } from './deliver'
import { type DeliveryResult, deliveriesMs } from './deliveries'
import { findHook, sourceOfHook, tokenSource } from './hooks'
import type { PlayerReport, ReportedPlay } from './report'

export interface KeptDelivery extends Pick<DeliveryResult, 'result' | 'isDry' | 'workId' | 'episode'> {
  readonly id: number
  readonly receivedAt: number
  readonly hookId: number | null
  /** Null for what came with a token. */
  readonly player: string | null
  readonly hookName: string | null
  readonly said: { readonly title: string; readonly season: number | null; readonly episode: number | null }
  readonly reason: string | null
  readonly rule: string | null
  /** Null if the work is gone. */
  readonly workTitle: string | null
  readonly recordIds: readonly number[]
  readonly proposals: readonly ProposedWork[]
  /** What it recorded is in an act that is not undone. */
  readonly canUndo: boolean
  readonly isUndone: boolean
}

/** Newest first, of the last 30 days. */
export async function listDeliveries(
  { read, now }: { read: Read; now(): number },
  userId: number,
  { offset, limit }: PageRange,
): Promise<{ readonly deliveries: readonly KeptDelivery[]; readonly total: number }> {
  const after = now() - deliveriesMs
  const rows = await some(read, { user: userId, id: 0, after, offset, limit })
  const [counted] = await count(read, { user: userId, after })
  return { deliveries: rows.map(deliveryOf), total: counted?.total ?? 0 }
}

/** Throws not_found, also for somebody else's. */
async function findDelivery(read: Read, userId: number, id: number): Promise<KeptDelivery> {
  const [row] = await some(read, { user: userId, id, after: 0, offset: 0, limit: 1 })
  if (row === undefined) throw notFound('The delivery')
  return deliveryOf(row)
}

/** Decides what was said once more; what is recorded stays. Throws not_found. */
export async function sendAgain(
  deps: DeliverDeps & { warmRead(): Read },
  userId: number,
  id: number,
): Promise<KeptDelivery> {
  const { hookId, receivedAt, canUndo } = await findDelivery(deps.read, userId, id)
  const kept = await deps.read
    .selectFrom('deliveries')
    .select('report')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const report: PlayerReport = JSON.parse(kept.report)
  const source =
    hookId === null ? tokenSource(userId) : sourceOfHook(userId, await findHook(deps.read, userId, hookId))
  if (!canUndo && report.plays.length > 0)
    await deliver(deps, { ...source, playerUser: '' }, { report, body: null, again: { id, receivedAt } })
  return await findDelivery(deps.warmRead(), userId, id)
}

interface DeliveryRow {
  readonly id: number
  readonly receivedAt: number
  readonly hookId: number | null
  readonly player: string | null
  readonly hookName: string | null
  readonly play: string | null
  readonly result: KeptDelivery['result']
  readonly reason: string | null
  readonly rule: string | null
  readonly workId: number | null
  readonly workTitle: string | null
  readonly episode: number | null
  readonly record_ids: string
  readonly proposals: string
  readonly dry_run: number
  readonly actId: number | null
  readonly undoneAt: number | null
}

function deliveryOf({
  play,
  record_ids,
  proposals,
  dry_run,
  actId,
  undoneAt,
  ...row
}: DeliveryRow): KeptDelivery {
  const said: Partial<ReportedPlay> = JSON.parse(play ?? '{}')
  const { titles = [], season = null, isMovie = false, episode } = said
  return {
    ...row,
    said: { title: titles[0] ?? '', season, episode: isMovie ? null : (episode ?? null) },
    recordIds: JSON.parse(record_ids),
    proposals: JSON.parse(proposals),
    isDry: dry_run === 1,
    canUndo: actId !== null && undoneAt === null,
    isUndone: undoneAt !== null,
  }
}

// uses deliveries_user
const some = preparedSql<
  DeliveryRow,
  { user: number; id: number; after: number; offset: number; limit: number }
>(
  (slot) => sql`
    select deliveries.id, received_at as receivedAt, hook_id as hookId, hooks.player, hooks.name as hookName,
      report -> '$.plays[0]' as play, result, reason, rule, works.id as workId, works.title as workTitle,
      episode, record_ids, proposals, deliveries.dry_run, act_id as actId, undone_at as undoneAt
    from deliveries
    left join hooks on hooks.id = hook_id
    left join acts on acts.id = act_id
    left join works on works.id = ${survivor('works', sql.ref('deliveries.work_id'))}
    where deliveries.user_id = ${slot('user')} and received_at > ${slot('after')}
      and (${slot('id')} = 0 or deliveries.id = ${slot('id')})
    order by deliveries.id desc limit ${slot('limit')} offset ${slot('offset')}`,
)

const count = preparedSql<{ total: number }, { user: number; after: number }>(
  (slot) => sql`
    select count(*) as total from deliveries where user_id = ${slot('user')} and received_at > ${slot('after')}`,
)

export interface NamedProposal {
  readonly work_id: number
  readonly title: string
  readonly year: number | null
}

/** The works that are proposed and shown, by id. */
export async function proposedWorks(
  read: Read,
  of: readonly { readonly proposals: readonly ProposedWork[] }[],
): Promise<ReadonlyMap<number, NamedProposal>> {
  const ids = [...new Set(of.flatMap(({ proposals }) => proposals.map(({ work_id }) => work_id)))]
  const works = await shownWorks(read, { ids: JSON.stringify(ids) })
  return new Map(works.map((work) => [work.work_id, work]))
}

const shownWorks = preparedSql<NamedProposal, { ids: string }>(
  (slot) => sql`
    select id as work_id, title, season_year as year from works
    where hidden = 0 and id in (select value from json_each(${slot('ids')}))`,
)
