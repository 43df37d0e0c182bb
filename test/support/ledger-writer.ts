import type { Random } from '../../bench/random'
import type { Ledger } from './ledger'

/** What a writer writes about: its own works, for its user. */
export interface Desk {
  readonly name: string
  readonly username: string
  readonly token: string
  readonly works: readonly number[]
  readonly episodes: readonly number[]
}

/** A record or review that was created and is still to be changed or deleted. */
interface Made {
  readonly key: string
  readonly path: string
  readonly id: number
  readonly about: number
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

const states = ['bad', 'average', 'good', 'great'] as const
const kinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching', 'no_select'] as const

/** One client: sends one request after another, and notes in the ledger what it requests and what is acknowledged. */
export class Writer {
  readonly #made: Made[] = []
  #count = 0
  /** Responses that should not have come. */
  readonly surprises: string[] = []

  constructor(
    readonly desk: Desk,
    readonly ledger: Ledger,
    readonly random: Random,
  ) {}

  /** Writes until the connection breaks, which it must not before the server is killed. */
  async write(url: string, killed: AbortSignal): Promise<void> {
    try {
      for (;;) await this.#next(url)
    } catch (cause) {
      if (!killed.aborted) this.surprises.push(`before the kill: ${cause}`)
    }
  }

  #next(url: string): Promise<void> {
    const part = this.random(100)
    if (part < 40) return this.#create(url, '/v1/me/records')
    if (part < 55) return this.#create(url, '/v1/me/reviews')
    if (part < 70) return this.#setStatus(url)
    if (part < 80) return this.#bad(url)
    const made = this.#one(this.#made)
    if (made === undefined) return this.#create(url, '/v1/me/records')
    return part < 92 ? this.#change(url, made) : this.#remove(url, made)
  }

  async #create(url: string, path: string): Promise<void> {
    const isRecord = path.endsWith('records')
    const key = this.#newKey()
    const about = this.#one(isRecord ? this.desk.episodes : this.desk.works) ?? 0
    const { content, body } = this.#said(path, key, about)
    const where = isRecord ? { episode_id: about } : { work_id: about }
    this.ledger.sends(key, content)
    const response = await this.#send(url, { method: 'POST', path, body: { ...where, ...body } })
    if (!this.#isDone(response, 200)) return
    this.ledger.acknowledges(key)
    // The server may end between the response's head and body: the write is acknowledged anyway.
    const { id } = (await response.json()) as { id: number }
    this.ledger.identifies(key, id)
    this.#made.push({ key, path, id, about })
  }

  async #change(url: string, { key, path, id, about }: Made): Promise<void> {
    const { content, body } = this.#said(path, key, about)
    this.ledger.sends(key, content)
    const response = await this.#send(url, { method: 'PATCH', path: `${path}/${id}`, body })
    if (this.#isDone(response, 200)) this.ledger.acknowledges(key)
    await response.text()
  }

  async #remove(url: string, made: Made): Promise<void> {
    this.#made.splice(this.#made.indexOf(made), 1)
    this.ledger.sends(made.key, undefined)
    const response = await this.#send(url, { method: 'DELETE', path: `${made.path}/${made.id}` })
    if (this.#isDone(response, 204)) this.ledger.acknowledges(made.key)
  }

  async #setStatus(url: string): Promise<void> {
    const work_id = this.#one(this.desk.works) ?? 0
    const kind = this.#one(kinds)
    const key = `status:${this.desk.username}:${work_id}`
    this.ledger.sends(key, kind === 'no_select' ? undefined : kind)
    const response = await this.#send(url, {
      method: 'POST',
      path: '/v1/me/statuses',
      body: { work_id, kind },
    })
    if (this.#isDone(response, 204)) this.ledger.acknowledges(key)
  }

  /** Sends requests that must be refused. */
  async #bad(url: string): Promise<void> {
    const key = this.#newKey()
    const said = { comment: `${key} refused`, body: `${key} refused` }
    const [episode_id = 0] = this.desk.episodes
    const { id = 0, path = '/v1/me/records' } = this.#one(this.#made) ?? {}
    const [status, sent] = this.#one([
      [404, { method: 'POST', path: '/v1/me/records', body: { episode_id: 999_999_999, ...said } }],
      [400, { method: 'POST', path: '/v1/me/records', body: { episode_id, rating_state: 'fine', ...said } }],
      [404, { method: 'POST', path: '/v1/me/reviews', body: { work_id: 999_999_999, ...said } }],
      [400, { method: 'POST', path: '/v1/me/reviews', body: said }],
      [400, { method: 'POST', path: '/v1/me/statuses', body: { work_id: this.desk.works[0], kind: 'seen' } }],
      [400, { method: 'PATCH', path: `${path}/${id}`, body: { ...said, ...wrongStates } }],
      [404, { method: 'DELETE', path: '/v1/me/reviews/999999999' }],
    ] as const) ?? [0, { method: 'GET', path: '/' }]
    this.ledger.refuses(key)
    const response = await this.#send(url, sent)
    this.#isDone(response, status)
    await response.text()
  }

  /** A text that says whose it is and how often it was changed, and a rating. */
  #said(path: string, key: string, about: number) {
    const text = `${key} ${++this.#count} 見た${'。'.repeat(this.random(200))}`
    const state = this.#one(states)
    const body = path.endsWith('records')
      ? { comment: text, rating_state: state }
      : { body: text, rating_overall_state: state }
    return { content: JSON.stringify([this.desk.username, about, text, state]), body }
  }

  #newKey = () => `${this.desk.name}-${++this.#count}`

  #isDone(response: Response, status: number): boolean {
    if (response.status !== status) this.surprises.push(`${response.url}: ${response.status}, not ${status}`)
    return response.status === status
  }

  #one<T>(values: readonly T[]): T | undefined {
    return values[this.random(values.length)]
  }

  #send(url: string, { method, path, body }: Sent): Promise<Response> {
    const headers = { authorization: `Bearer ${this.desk.token}`, 'content-type': 'application/json' }
    return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }
}

const wrongStates = { rating_state: 'fine', rating_overall_state: 'fine' }
