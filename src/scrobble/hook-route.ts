import { jsonHeaders, notFound } from '../http/errors'
import { pathOf } from '../http/incoming'
import { allow, allowFrom } from '../http/rate-limit'
import type { Route, RouteContext } from '../http/route'
import { deliver } from './deliver'
import type { DeliveryResult } from './deliveries'
import { readHookBody } from './hook-body'
import { type CalledHook, hookCalled, noteHookUse } from './hooks'
import { readReport } from './players/read-report'
import { isHistory } from './players/trakt'
import { type Player, players } from './report'

/** `/hooks/{player}/{secret}`, also followed by a path of Trakt's, and `/hooks/{secret}`. Says nothing but that it is there. */
export const hookAlive: Route = {
  method: 'GET',
  path: '/hooks/*',
  answer: async (route) => {
    await callOf(route)
    return new Response('alive\n', {
      headers: { ...jsonHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
    })
  },
}

/** Players send again what is not answered with 2xx: whatever was understood is, also what is not recorded. */
export const hookReport: Route = {
  method: 'POST',
  path: '/hooks/*',
  answer: async (route) => {
    const { deps, request, context, limits } = route
    const { hook, player, path } = await callOf(route)
    const { hookId } = hook.source
    Object.assign(context.headers, allow(limits?.byHook, String(hookId)))
    const { text, object } = await readHookBody(request, { pool: 'api', key: `hook ${hookId}` })
    const report = readReport(player, object, path)
    await noteHookUse(deps, hook, report.user)
    const result = await deliver(deps, hook.source, { report, body: text })
    return player === 'trakt' || path !== ''
      ? asTrakt(result, path, deps.now())
      : Response.json(shownResult(result), { headers: jsonHeaders })
  },
}

interface HookCall {
  readonly hook: CalledHook
  /** Undefined if its shape tells. */
  readonly player: Player | undefined
  /** After the secret, without a slash at its end. */
  readonly path: string
}

/** Throws not_found for a wrong address; guesses count against the address that they come from. */
async function callOf({ deps, request, context, limits }: RouteContext): Promise<HookCall> {
  const [, first = '', second = ''] = /\/hooks\/([^/]*)(?:\/(.*))?$/.exec(pathOf(request.url)) ?? []
  const player = players.find((one) => one === first)
  const [secret = '', ...rest] = (player === undefined ? `${first}/${second}` : second).split('/')
  const hook = await hookCalled(deps.warmRead(), secret)
  if (hook === undefined) {
    Object.assign(context.headers, allowFrom(limits?.byAddress, context.peer))
    throw notFound('The address')
  }
  const path = rest
    .filter((part) => part !== '')
    .map((part) => `/${part}`)
    .join('')
  return {
    hook,
    player: player ?? (path === '' && hook.player !== 'generic' ? hook.player : undefined),
    path,
  }
}

/** As the API gives it; what does not apply is left out. */
const shownResult = ({ id, isDry, result, reason, workId, episode }: DeliveryResult) => ({
  result,
  ...(reason !== null && { reason }),
  ...(workId !== null && { work_id: workId, episode }),
  ...(isDry && { dry_run: true }),
  delivery_id: id,
})

/** What scrobblers for Trakt expect; what waits to be placed is answered as elsewhere. */
function asTrakt(result: DeliveryResult, path: string, now: number): Response {
  const shown = shownResult(result)
  if (isHistory(path))
    return Response.json({ ...historyOf(result), ...shown }, { status: 201, headers: jsonHeaders })
  const at = new Date(now).toISOString()
  if (result.result === 'duplicate')
    return Response.json({ ...shown, watched_at: at, expires_at: at }, { status: 409, headers: jsonHeaders })
  const action = result.reason === 'not_completed' ? 'pause' : 'scrobble'
  const isAnswered = result.result === 'recorded' || result.reason === 'not_completed'
  return isAnswered
    ? Response.json({ id: result.id, action, ...shown }, { status: 201, headers: jsonHeaders })
    : Response.json(shown, { headers: jsonHeaders })
}

function historyOf({ result, episode, episodes }: DeliveryResult) {
  const counted = episode === null ? { movies: 1, episodes: 0 } : { movies: 0, episodes: episodes.length }
  const none = { movies: 0, episodes: 0 }
  return {
    added: result === 'recorded' ? counted : none,
    existing: result === 'duplicate' ? counted : none,
    not_found: { movies: [], shows: [], seasons: [], episodes: [] },
  }
}
