import { sql } from 'kysely'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { FetchRefused } from '../fetching/refused'
import { send } from '../fetching/send'
import { languages, messagesIn } from '../messages/languages'
import { version } from '../version'
import { type MessageTarget, type NewsItem, type NewsKind, type OutgoingMessage, requestOf } from './message'
import { afterQuiet, type QuietColumns, type QuietTime, quietOf } from './quiet'
import { rulesFor, type WayOut } from './way-out'

/** What became of one try. */
export interface SendResult {
  /** `again`: trying later may help. */
  readonly outcome: 'sent' | 'again' | 'failed'
  readonly httpStatus: number | null
  /** Words without an address; null for an answer. */
  readonly why: string | null
  /** Milliseconds that the other side asks for. */
  readonly pauseMs: number
}

const mostPauseMs = 86_400_000

/** One try of at most 10 seconds. Rejects only with the reason of `signal`. */
export async function attempt(
  way: WayOut,
  target: MessageTarget,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const { url, headers, body } = await requestOf(target, message, way.pushKeys)
    const headersFor = () => ({ ...headers, 'User-Agent': `kiroku/${version}` })
    await using answer = await send(rulesFor(way, new URL(url)), { url, body, signal, headersFor })
    return attemptOf(answer.status, answer.headers.get('retry-after'), message.now)
  } catch (cause) {
    signal.throwIfAborted()
    const isFinal = cause instanceof FetchRefused && cause.problem === 'not_allowed'
    const why = cause instanceof FetchRefused ? words[cause.problem] : 'no answer'
    return { outcome: isFinal ? 'failed' : 'again', httpStatus: null, why, pauseMs: 0 }
  }
}

const words: Readonly<Record<FetchRefused['problem'], string>> = {
  not_allowed: 'not a public address, or not https on its usual port',
  unreachable: 'no answer',
  too_slow: 'no answer within 10 seconds',
  broke_off: 'the answer broke off',
  too_large: 'the answer was too large',
  damaged: 'the answer was damaged',
}

function attemptOf(status: number, retryAfter: string | null, now: number): SendResult {
  const facts = { httpStatus: status, why: null }
  if (status >= 200 && status < 300) return { ...facts, outcome: 'sent', pauseMs: 0 }
  const isPassing = [408, 425, 429].includes(status) || status >= 500
  return { ...facts, outcome: isPassing ? 'again' : 'failed', pauseMs: pauseOf(retryAfter, now) }
}

/** Seconds or a date (RFC 9110 §10.2.3), up to a day. */
function pauseOf(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), mostPauseMs) : 0
}

type SendingDeps = Pick<Deps, 'readBare' | 'write' | 'now' | 'random' | 'isStopping' | 'metrics'>

const lanes = 4

/** Sends what is due: four at once, one to each host. Resolves when nothing is due. */
export async function sendDue(deps: SendingDeps, way: WayOut, signal: AbortSignal): Promise<void> {
  const busy = new Set<string>()
  const lane = async () => {
    while (!deps.isStopping() && !signal.aborted) {
      const due = await takeDue(deps, busy)
      if (due === undefined) return
      try {
        const made = await attempt(way, due.target, due.message, signal)
        await noteAttempt(deps, due, made)
      } finally {
        busy.delete(due.host)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

interface DueMessage {
  readonly target: MessageTarget
  readonly message: OutgoingMessage
  readonly host: string
  readonly destination: number
  readonly user: number
  readonly quiet: QuietTime
  /** With this one. */
  readonly tries: number
}

/** From now on nothing joins it: it counts as tried. If the process ends before its answer, it is sent again. */
async function takeDue(
  { readBare, write, now }: SendingDeps,
  busy: Set<string>,
): Promise<DueMessage | undefined> {
  const at = now()
  const [found] = await nextDue(readBare, { at, busy: JSON.stringify([...busy]) })
  // Two lanes may have found the same one.
  if (found === undefined || busy.has(found.host)) return undefined
  busy.add(found.host)
  const [row] = await write((tx) => takeRow(tx, { id: found.id }))
  if (row === undefined) {
    busy.delete(found.host)
    return undefined
  }
  const lang = languages.find((one) => one === found.language) ?? 'ja'
  const t = messagesIn(lang)
  const items: readonly NewsItem[] = JSON.parse(row.items)
  const { kind: name, url, token, secret, host, destination, user } = found
  return {
    ...{ target: { kind: name, url, token, secret }, host, destination, user, tries: row.tries },
    quiet: quietOf(found),
    message: {
      id: found.id,
      kind: row.kind,
      items,
      more: row.more,
      title: t.news.titles[row.kind],
      lang,
      now: at,
    },
  }
}

type DueRow = MessageTarget &
  QuietColumns & {
    readonly id: number
    readonly host: string
    readonly destination: number
    readonly user: number
    readonly language: string | null
  }

/** Times further away than any pause are from a clock that was set back since. Uses outgoing_due. */
const nextDue = preparedSql<DueRow, { at: number; busy: string }>(
  (slot) => sql`
    select outgoing.id, destinations.kind, destinations.url, token, secret, host, destination_id as destination,
      users.id as user, language, time_zone, quiet_from, quiet_to
    from outgoing cross join destinations on destinations.id = destination_id
      cross join users on users.id = outgoing.user_id and disabled_at is null
    where state = 'waiting' and (next_at <= ${slot('at')} or next_at > ${slot('at')} + 259200000)
      and host not in (select value from json_each(${slot('busy')}))
    order by next_at, outgoing.id limit 1`,
)

const takeRow = preparedSql<{ kind: NewsKind; items: string; more: number; tries: number }, { id: number }>(
  (slot) => sql`
    update outgoing set tries = tries + 1 where id = ${slot('id')} and state = 'waiting'
    returning kind, items, more, tries`,
)

const minute = 60_000
const hour = 60 * minute
/** After the first try, the second, … */
const pauses = [minute / 2, 2 * minute, 10 * minute, hour, 6 * hour, 12 * hour]

/** Messages that fail in a row until a destination is switched off. */
const mostFailures = 10

async function noteAttempt(deps: SendingDeps, due: DueMessage, made: SendResult): Promise<void> {
  const now = deps.now()
  const pause = pauses[due.tries - 1]
  if (made.outcome === 'again' && pause !== undefined) {
    const spread = 0.8 + (0.4 * (deps.random(1)[0] ?? 0)) / 255
    const next_at = afterQuiet(due.quiet, now + Math.max(pause * spread, made.pauseMs))
    const seen = { http_status: made.httpStatus, why: made.why }
    await deps.write((tx) =>
      tx
        .updateTable('outgoing')
        .set({ next_at: Math.round(next_at), ...seen })
        .where('id', '=', due.message.id)
        .execute(),
    )
    return
  }
  const state = made.outcome === 'sent' ? 'sent' : 'failed'
  await deps.write(async (tx) => {
    const seen = { http_status: made.httpStatus, why: made.why }
    const end = { state, ended_at: now, ...seen } as const
    await tx.updateTable('outgoing').set(end).where('id', '=', due.message.id).execute()
    await noteOutcome(tx, due, { isOk: state === 'sent', isGone: isGone(due, made), now })
  })
  deps.metrics?.count('kiroku_outgoing_total', { state })
}

/** A browser that wants no more answers so (RFC 8030 §7.3). */
const isGone = ({ target }: DueMessage, { httpStatus }: SendResult): boolean =>
  target.kind === 'push' && (httpStatus === 404 || httpStatus === 410)

type Owned = Pick<DueMessage, 'destination' | 'user'>

interface MessageEnd {
  readonly isOk: boolean
  readonly isGone: boolean
  readonly now: number
}

/** Switches a destination off at which ten messages in a row failed, or a browser that is gone, and tells its owner. */
async function noteOutcome(tx: Tx, due: Owned, { isOk, isGone, now }: MessageEnd): Promise<void> {
  const { destination: id, user: user_id } = due
  if (isOk) {
    await tx.updateTable('destinations').set({ failures: 0, last_ok_at: now }).where('id', '=', id).execute()
    return
  }
  const [changed] = await tx
    .updateTable('destinations')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', id)
    .returning(['failures', 'is_on'])
    .execute()
  if (changed === undefined || changed.is_on === 0) return
  if (!isGone && changed.failures < mostFailures) return
  await tx.updateTable('destinations').set({ is_on: 0 }).where('id', '=', id).execute()
  await tx
    .updateTable('outgoing')
    .set({ state: 'dropped', ended_at: now, why: 'switched off' })
    .where('destination_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  await tx.insertInto('notifications').values({ user_id, kind: 'destination_off', created_at: now }).execute()
}
