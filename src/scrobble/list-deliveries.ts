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
import type { Player, PlayerReport, ReportedPlay } from './report'

export interface KeptDelivery extends Pick<DeliveryResult, 'result' | 'isDry' | 'workId' | 'episode'> {
  readonly id: number
  readonly receivedAt: number
  readonly hookId: number | null
  /** Null for what came with a token. */
  readonly player: Player | null
  readonly hookName: string | null
  /** `tmdb 57706`, as the player says them. */
  readonly ids: readonly string[]
  /** `2016-04-03`; null if it was not said. */
  readonly airDate: string | null
  readonly said: { readonly title: string; readonly season: number | null; readonly episode: number | null }
  readonly reason: string | null
  readonly rule: string | null
  readonly recordIds: readonly number[]
  readonly proposals: readonly ProposedWork[]
  /** The act that recorded it; null if nothing did. */
  readonly actId: number | null
  /** The act is not undone. */
  readonly canUndo: boolean
  readonly isUndone: boolean
}

/** Newest first, of the last 30 days. */
export async function listDeliveries(
  { read, now }: { read: Read; now(): number },
  userId: number,
  { offset, limit, results = [] }: PageRange & { readonly results?: readonly DeliveryResult['result'][] },
): Promise<DeliveryPage> {
  const after = now() - deliveriesMs
  const rows = await some(read, {
    ...{ user: userId, id: 0, after, offset, limit },
    results: results.length === 0 ? null : JSON.stringify(results),
  })
  const counted = await counts(read, { user: userId, after })
  return {
    deliveries: rows.map(deliveryOf),
    total: counted.reduce((sum, { count }) => sum + count, 0),
    counts: new Map(counted.map(({ result, count }) => [result, count])),
  }
}

export interface DeliveryPage {
  readonly deliveries: readonly KeptDelivery[]
  /** Of all results. */
  readonly total: number
  readonly counts: ReadonlyMap<DeliveryResult['result'], number>
}

/** Throws not_found, also for somebody else's. */
async function findDelivery(read: Read, userId: number, id: number): Promise<KeptDelivery> {
  const [row] = await some(read, { user: userId, id, after: 0, offset: 0, limit: 1, results: null })
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
  readonly player: Player | null
  readonly hookName: string | null
  readonly play: string | null
  readonly result: KeptDelivery['result']
  readonly reason: string | null
  readonly rule: string | null
  readonly workId: number | null
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
  const { titles = [], refs = [], season = null, isMovie = false, episode, airDate = null } = said
  return {
    ...row,
    actId,
    ids: refs.map(({ site, id }) => `${site} ${id.replace(/^\w+\//, '')}`),
    airDate,
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
  { user: number; id: number; after: number; offset: number; limit: number; results: string | null }
>(
  (slot) => sql`
    select deliveries.id, received_at as receivedAt, hook_id as hookId, hooks.player, hooks.name as hookName,
      report -> '$.plays[0]' as play, result, reason, rule, works.id as workId,
      episode, record_ids, proposals, deliveries.dry_run, act_id as actId, undone_at as undoneAt
    from deliveries
    left join hooks on hooks.id = hook_id
    left join acts on acts.id = act_id
    left join works on works.id = ${survivor('works', sql.ref('deliveries.work_id'))}
    where deliveries.user_id = ${slot('user')} and received_at > ${slot('after')}
      and (${slot('id')} = 0 or deliveries.id = ${slot('id')})
      and (${slot('results')} is null or result in (select value from json_each(${slot('results')})))
    order by deliveries.id desc limit ${slot('limit')} offset ${slot('offset')}`,
)

const counts = preparedSql<
  { result: DeliveryResult['result']; count: number },
  { user: number; after: number }
>(
  (slot) => sql`
    select result, count(*) as count from deliveries
    where user_id = ${slot('user')} and received_at > ${slot('after')} group by result`,
)

/** What a hook recorded. */
export interface HookCounts {
  readonly hookId: number
  /** In 30 days. */
  readonly recorded: number
  /** In the last hour: a library that is marked as played is many. */
  readonly lately: number
}

export const countByHook = (
  { read, now }: { read: Read; now(): number },
  userId: number,
): Promise<readonly HookCounts[]> =>
  byHook(read, { user: userId, after: now() - deliveriesMs, lately: now() - 3_600_000 })

const byHook = preparedSql<HookCounts, { user: number; after: number; lately: number }>(
  (slot) => sql`
    select hook_id as hookId, count(*) as recorded, sum(received_at > ${slot('lately')}) as lately from deliveries
    where user_id = ${slot('user')} and received_at > ${slot('after')} and result = 'recorded' and act_id is not null
      and dry_run = 0 and hook_id is not null
    group by hook_id`,
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
