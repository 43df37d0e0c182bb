import { basePath, keptAt, me, texts } from '../told'
import { clearKeptPages } from './kept-pages'
import { changeEntry, type OutboxEntry, outbox, randomId, removeEntry } from './store'

/** How the last run ended. `signed_out`: they wait for their person. `other`: somebody else is signed in. */
export type LinkState = 'open' | 'none' | 'signed_out' | 'other'

export interface SentPresses {
  readonly connection: LinkState
  /** What was answered, in order. */
  readonly sent: readonly OutboxEntry[]
}

/** The person's presses that wait, oldest first. */
export const waiting = async (): Promise<readonly OutboxEntry[]> =>
  (await outbox()).filter(({ user, state }) => user === me && state === 'waiting')

let csrf = document.querySelector<HTMLInputElement>('[name=csrf]')?.value ?? ''

/** Whether `csrf` may be of another session: at the start, as the page may be old, and after a 403. */
let isUnsure = true

/** A press on a page that has just come needs no question first. */
export const trustPage = (): void => {
  isUnsure = keptAt !== undefined
}

/** With a new token each time: its person may be signing in again in another tab. */
const mostForbidden = 4

/** Sends what waits, oldest first, until something is not answered. One tab at a time, where there are locks. */
export async function sendWaiting(): Promise<SentPresses> {
  if (navigator.locks === undefined) return await sendAll()
  return await navigator.locks.request(`kiroku${basePath}`, sendAll)
}

async function sendAll(): Promise<SentPresses> {
  const sent: OutboxEntry[] = []
  const first = await waiting()
  if (first.length === 0 && keptAt === undefined) return { connection: 'open', sent }
  for (let forbidden = 0; ; ) {
    const connection = isUnsure ? await identify() : 'open'
    if (connection !== 'open') return { connection, sent }
    const [entry] = await waiting()
    if (entry === undefined) return { connection, sent }
    const answer = await answerTo(entry)
    if (answer.status === 403 && forbidden < mostForbidden) {
      forbidden += 1
      isUnsure = true
      continue
    }
    forbidden = 0
    const stop = await settle(entry, answer)
    if (stop !== undefined) return { connection: stop, sent }
    sent.push(entry)
  }
}

interface JsonAnswer {
  /** 0 if there is none. */
  readonly status: number
  readonly body: {
    readonly result?: 'done' | 'before' | 'refused'
    readonly error?: string
    readonly problems?: Readonly<Record<string, string>>
    readonly user?: { readonly id: number }
    readonly csrf?: string
  }
}

/** What is not JSON comes from between: a captive portal, a proxy. Nobody waits longer than half a minute. */
async function ask(path: string, init: RequestInit): Promise<JsonAnswer> {
  try {
    const headers = { Accept: 'application/json' }
    const response = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(30_000) })
    const { status } = response
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return isJson ? { status, body: await response.json() } : { status: status === 403 ? 403 : 0, body: {} }
  } catch {
    return { status: 0, body: {} }
  }
}

/** Who is signed in now, and the token for forms. */
export async function identify(): Promise<LinkState> {
  const { status, body } = await ask(`${basePath}/outbox`, { cache: 'no-store' })
  if (body.error === 'signed_out') {
    await clearKeptPages()
    return 'signed_out'
  }
  if (status !== 200 || body.csrf === undefined) return 'none'
  if (String(body.user?.id) !== me) return 'other'
  csrf = body.csrf
  for (const input of document.querySelectorAll<HTMLInputElement>('[name=csrf]')) input.value = csrf
  isUnsure = false
  return 'open'
}

async function answerTo({ path, fields, form_id, done_at }: OutboxEntry): Promise<JsonAnswer> {
  const body = new FormData()
  for (const [name, text] of [...fields, ['csrf', csrf], ['form_id', form_id], ['done_at', done_at]] as const)
    body.append(name, text)
  return await ask(path, { method: 'POST', body })
}

/** Undefined if the next one can be sent. */
async function settle(entry: OutboxEntry, { status, body }: JsonAnswer): Promise<LinkState | undefined> {
  if (body.error === 'signed_out') {
    isUnsure = true
    return 'signed_out'
  }
  if (body.result === 'done') await removeEntry(entry.n)
  else if (body.result === 'before') await keepOpinion(entry)
  else if (body.result === 'refused' || status === 403) {
    const [why = texts.failed] = Object.values(body.problems ?? {})
    await changeEntry({ ...entry, state: 'needs_you', why })
  } else {
    await changeEntry({ ...entry, tries: entry.tries + 1 })
    return 'none'
  }
  return undefined
}

/** Another device was first: a comment or a rating that would be lost waits for its person. */
async function keepOpinion(entry: OutboxEntry): Promise<void> {
  const hasOpinion = entry.fields.some(
    ([name, text]) => ['comment', 'rating_state'].includes(name) && text !== '',
  )
  if (!hasOpinion || !/\/record$/.test(entry.path)) return await removeEntry(entry.n)
  const fields = entry.fields.filter(([name]) => name !== 'once')
  await changeEntry({ ...entry, fields, form_id: randomId(), state: 'needs_you', why: texts.elsewhere })
}
