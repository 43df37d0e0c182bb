import type { Answer } from './answer'
import type { Instance, Outcome, RunOptions } from './instance'
import { logSummary } from './logged'
import { Masks } from './masks'

/** `as` names the token to send. */
export interface RecordedRequest {
  readonly method?: string
  readonly target: string
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>
  /** Recorded instead of the headers and the body. */
  readonly label?: string
}

/** An answer before masking. */
export interface ReceivedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export class Recorder {
  readonly tokens = new Map<string, string>()
  readonly masks = new Masks()
  readonly instance: Instance
  readonly #write: (answer: Answer) => void
  #kind = ''
  #flags: string | undefined
  readonly #requestCounts = new Map<string, number>()

  constructor(instance: Instance, write: (answer: Answer) => void) {
    this.instance = instance
    this.#write = write
    this.masks.learn(instance.folder, '<folder>')
    this.masks.learn(`:${instance.port}`, ':<port>')
  }

  begin(kind: string): void {
    this.#kind = kind
    this.instance.clock.toNextHalfDay()
  }

  async ask({
    method = 'GET',
    target,
    as,
    headers = {},
    body,
    label,
  }: RecordedRequest): Promise<ReceivedAnswer> {
    // Advances by more than a request takes, so that the clock never seems to be set back.
    this.instance.clock.advance(1)
    const token = as === undefined ? {} : { authorization: `Bearer ${this.tokens.get(as) ?? as}` }
    const response = await fetch(`http://127.0.0.1:${this.instance.port}${target}`, {
      method,
      headers: { ...standing, ...token, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const sent = label ?? [Object.keys(headers).length > 0 && JSON.stringify(headers), textOf(body)]
    const notes = [as && `as ${as}`, sent].flat().filter(Boolean)
    const request = [`${method} ${target}`, ...notes].join(' ')
    this.#add(request, response.status, headersOf(response.headers, text), text)
    return { status: response.status, headers: response.headers, text }
  }

  async run(words: readonly string[], running: RunOptions = {}): Promise<Outcome> {
    this.instance.clock.advance(1)
    const outcome = await this.instance.run(words, running)
    const { stdin, environment, note } = running
    const notes = [stdin && `< ${JSON.stringify(stdin)}`, environment && JSON.stringify(environment), note]
    const request = ['kiroku', ...words, ...notes.filter(Boolean)].join(' ')
    this.#add(request, outcome.status, {}, `${outcome.stdout}\n--- stderr\n${outcome.stderr}`)
    return outcome
  }

  async serve(flags: readonly string[]): Promise<void> {
    await this.stop()
    await this.instance.serve(flags)
    this.#flags = flags.join(' ')
  }

  /** Ends the server and records its log. */
  async stop(): Promise<void> {
    if (this.#flags === undefined) return
    const { status, stdout, stderr } = await this.instance.stop()
    this.note(`log of serve ${this.#flags}`, status, logSummary(this.masks.mask(`${stdout}${stderr}`)))
    this.#flags = undefined
  }

  note(request: string, status: number, text: string): void {
    this.#add(request, status, {}, text)
  }

  #add(unmasked: string, status: number, headers: Readonly<Record<string, string>>, text: string): void {
    const body = shortened(this.masks.mask(text))
    const request = shortRequest(this.masks.mask(unmasked))
    const known = Object.entries(headers).map(([name, value]) => [name, this.masks.mask(value)])
    const key = `${this.#kind} ${request}`
    const nth = (this.#requestCounts.get(key) ?? 0) + 1
    this.#requestCounts.set(key, nth)
    this.#write({ kind: this.#kind, request, nth, status, headers: Object.fromEntries(known), body })
  }
}

const standing = { 'user-agent': 'answers', 'accept-encoding': 'identity', host: 'localhost' }

const textOf = (body: RecordedRequest['body']) =>
  body instanceof FormData ? JSON.stringify(Array.from(body.entries())) : body?.toString()

/** Request id and date only by their presence; the length only by whether it matches the body. */
function headersOf(headers: Headers, text: string): Record<string, string> {
  const cookies = headers.getSetCookie()
  const known = Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie'))
  for (const name of ['x-request-id', 'date']) if (name in known) known[name] = `<${name}>`
  if (known['content-length'] === String(Buffer.byteLength(text))) known['content-length'] = '<right>'
  return cookies.length === 0 ? known : { ...known, 'set-cookie': cookies.join('\n') }
}

const shortRequest = (text: string) => (text.length < 400 ? text : `${text.slice(0, 300)}… (${text.length})`)

const shortened = (text: string) =>
  text.length < 400_000
    ? text
    : `<${text.length} letters, sha256 ${new Bun.CryptoHasher('sha256').update(text).digest('hex')}>`
