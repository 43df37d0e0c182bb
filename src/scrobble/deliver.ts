import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { actWithin, type OpenAct } from '../library/acts/write-act'
import type { WatchedColumns } from '../library/watched'
import { choiceKeys } from '../transfer/match/said-play'
import { type DecidedPlay, decide, type HookRules, type PlayDecision } from './decide'
import { type DeliveryOutcome, type DeliveryResult, saveDelivery } from './deliveries'
import type { IgnoredReport, PlayerReport } from './report'
import { writePlays } from './write-plays'
import { writeRating } from './write-rating'

/** Where a report comes from, and what it may do. */
export interface DeliverySource extends HookRules {
  /** Null for a report with a token. */
  readonly hookId: number | null
  readonly setsStatus: boolean
  readonly isDry: boolean
  readonly isTold: boolean
}

export type DeliverDeps = Pick<Deps, 'read' | 'write' | 'now' | 'wallClock' | 'generations' | 'steady'>

export interface ReportToDeliver {
  readonly report: PlayerReport | IgnoredReport
  /** As it came; null if it is not kept. */
  readonly body: string | null
  /** What was delivered before, and is decided again. */
  readonly again?: { readonly id: number; readonly receivedAt: number } | undefined
}

/** Decides what a report means, records it and keeps the delivery, in one write. Events that say nothing are not kept. */
export async function deliver(
  deps: DeliverDeps,
  source: DeliverySource,
  sent: ReportToDeliver,
): Promise<DeliveryResult> {
  const { report, body, again } = sent
  const receivedAt = again?.receivedAt ?? deps.now()
  const decision = await decide(deps, source, report)
  const isNoise = decision.result === 'ignored' && decision.reason === 'event'
  if (isNoise && again === undefined) return { ...nothing, result: 'ignored', reason: 'event' }
  return await deps.write(async (tx) => {
    const outcome = await carryOut(deps, tx, { source, report, decision, receivedAt })
    const plays = 'ignored' in report ? [] : report.plays
    const id = await saveDelivery(tx, {
      ...{
        id: again?.id,
        userId: source.userId,
        hookId: source.hookId,
        receivedAt,
        body,
        isDry: source.isDry,
      },
      ...{ report: { user: report.user, plays, ...('rating' in report && { rating: report.rating }) } },
      ...{ seriesKey: plays[0] === undefined ? null : (choiceKeys(plays[0])[0] ?? null) },
      ...{ user: report.user, outcome },
    })
    return { ...outcome, id, isDry: source.isDry }
  })
}

const nothing = {
  ...{ id: null, isDry: false, rule: null, reason: null, workId: null, episode: null, episodes: [] },
  ...{ recordIds: [], proposals: [], actId: null },
}

interface ToCarryOut {
  readonly source: DeliverySource
  readonly report: PlayerReport | IgnoredReport
  readonly decision: PlayDecision
  readonly receivedAt: number
}

async function carryOut(
  deps: DeliverDeps,
  tx: Tx,
  { source, report, decision, receivedAt }: ToCarryOut,
): Promise<DeliveryOutcome> {
  if (decision.result === 'ignored') return { ...nothing, ...decision }
  if (decision.result === 'unmatched') return { ...nothing, ...decision }
  const { plays, rule } = decision
  const [first] = plays
  const told = {
    ...{ ...nothing, rule, workId: first?.work.id ?? null, episode: first?.episode ?? null },
    episodes: plays.flatMap(({ episode }) => episode ?? []),
  }
  const rating = 'rating' in report ? report.rating : undefined
  if (source.isDry || first === undefined)
    return { ...told, result: rating === undefined ? 'recorded' : 'rated' }
  const act = { tx, userId: source.userId, now: deps.now(), isLate: false }
  const believed = deps.wallClock.believed()
  let recordIds: readonly number[] = []
  let [isRated, isListed] = [false, true]
  const { actId } = await actWithin(act, believed, 'play', async (open) => {
    if (rating !== undefined) {
      const rated = await writeRating(open, first, rating)
      isRated = rated.isRated
      recordIds = rated.recordId === undefined ? [] : [rated.recordId]
      return {
        workId: first.work.id,
        ...(rated.episodeId !== undefined && { episodeId: rated.episodeId }),
        count: 1,
      }
    }
    const written = await writeAll(open, source, plays, receivedAt)
    recordIds = written.recordIds
    isListed = written.isListed
    return written
  })
  if (rating !== undefined)
    return isRated
      ? { ...told, result: 'rated', recordIds, actId }
      : { ...told, result: 'ignored', reason: 'event' }
  if (!isListed)
    return { ...nothing, result: 'unmatched', reason: 'no_episode', proposals: proposalsOf(plays) }
  return { ...told, result: actId === null ? 'duplicate' : 'recorded', recordIds, actId }
}

/** By a choice for its season, for example, it comes after the end of the list. */
const proposalsOf = (plays: readonly DecidedPlay[]) =>
  [...new Set(plays.map(({ work }) => work.id))].slice(0, 5).map((id) => ({ work_id: id }))

/** As the subject of an act. */
async function writeAll(
  open: OpenAct,
  source: Pick<DeliverySource, 'hookId' | 'setsStatus' | 'isTold'>,
  plays: readonly DecidedPlay[],
  receivedAt: number,
) {
  const isFlood =
    source.hookId !== null && (await deliveriesInMinute(open.tx, source.hookId, receivedAt)) >= manyAtOnce
  const toWrite = plays.map(({ work, episode, said }) => ({
    ...{ workId: work.id, episode },
    watched: watchedAt(said.watchedAt, receivedAt, isFlood),
  }))
  const { episodeId, ...written } = await writePlays(open, toWrite, source)
  return { ...written, ...(episodeId !== undefined && { episodeId }) }
}

/** A library that is marked as played was not watched today. */
const manyAtOnce = 50

const minute = 60_000

const earliest = Date.UTC(2000, 0)

/** The player's time unless it is missing, before 2000 or more than five minutes ahead: then that of arrival. */
export function watchedAt(said: number | undefined, receivedAt: number, isFlood: boolean): WatchedColumns {
  if (said === undefined || said < earliest || said > receivedAt + 5 * minute)
    return { watched_at: receivedAt, watched_at_precision: isFlood ? 'none' : 'time' }
  return { watched_at: Math.min(said, receivedAt), watched_at_precision: 'time' }
}

async function deliveriesInMinute(tx: Tx, hookId: number, at: number): Promise<number> {
  const { count } = await tx
    .selectFrom('deliveries') // uses deliveries_hook
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('hook_id', '=', hookId)
    .where('received_at', '>', at - minute)
    .executeTakeFirstOrThrow()
  return count
}
