import type { Answer } from './answer'
import type { Instance, Outcome, Running } from './instance'
import { Masks } from './masks'

/** A request; `as` names the token it is sent with. */
export interface Asked {
  readonly method?: string
  readonly target: string
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>
  /** Says what the body is, where the recording should not repeat it. */
  readonly said?: string
}

/** An answer as it came, before masking. */
export interface Came {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Asks one thing after the other and writes down what came back. */
export class Recorder {
  readonly tokens = new Map<string, string>()
  readonly masks = new Masks()
  readonly answers: Answer[] = []
  readonly instance: Instance
  #kind = ''
  readonly #asked = new Map<string, number>()

  constructor(instance: Instance) {
    this.instance = instance
    this.masks.learn(instance.folder, '<folder>')
    this.masks.learn(String(instance.port), '<port>')
  }

  /** What follows belongs to this section. */
  begin(kind: string): void {
    this.#kind = kind
  }

  async ask({ method = 'GET', target, as, headers = {}, body, said }: Asked): Promise<Came> {
    if (method !== 'GET' && method !== 'HEAD') this.instance.clock.advance(1)
    const token = as === undefined ? {} : { authorization: `Bearer ${this.tokens.get(as) ?? as}` }
    const response = await fetch(`http://127.0.0.1:${this.instance.port}${target}`, {
      method,
      headers: {
        'user-agent': 'answers',
        'accept-encoding': 'identity',
        host: 'localhost',
        ...token,
        ...headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const notes = [as && `as ${as}`, Object.keys(headers).length > 0 && JSON.stringify(headers)]
    notes.push(
      said ?? (body instanceof FormData ? JSON.stringify(Array.from(body.entries())) : body?.toString()),
    )
    const request = [`${method} ${target}`, ...notes.filter(Boolean)].join(' ')
    this.#add(request, response.status, headersOf(response.headers), text)
    return { status: response.status, headers: response.headers, text }
  }

  async run(words: readonly string[], running: Running = {}): Promise<Outcome> {
    this.instance.clock.advance(1)
    const outcome = await this.instance.run(words, running)
    const { stdin, environment } = running
    const notes = [stdin && `< ${JSON.stringify(stdin)}`, environment && JSON.stringify(environment)]
    const request = ['kiroku', ...words, ...notes.filter(Boolean)].join(' ')
    this.#add(request, outcome.status, {}, `${outcome.stdout}\n--- stderr\n${outcome.stderr}`)
    return outcome
  }

  /** Writes down what came another way. */
  note(request: string, status: number, text: string): void {
    this.#add(request, status, {}, text)
  }

  #add(asked: string, status: number, headers: Readonly<Record<string, string>>, text: string): void {
    const body = shortened(this.masks.mask(text))
    const request = this.masks.mask(asked).slice(0, 1000)
    const known = Object.entries(headers).map(([name, value]) => [name, this.masks.mask(value)])
    const key = `${this.#kind} ${request}`
    const nth = (this.#asked.get(key) ?? 0) + 1
    this.#asked.set(key, nth)
    this.answers.push({ kind: this.#kind, request, nth, status, headers: Object.fromEntries(known), body })
  }
}

/** By name; of a request's id and the date only that they are there. */
function headersOf(headers: Headers): Record<string, string> {
  const pairs = [...headers].filter(([name]) => name !== 'set-cookie')
  const cookies = headers.getSetCookie()
  const known = Object.fromEntries(pairs)
  for (const name of ['x-request-id', 'date']) if (name in known) known[name] = `<${name}>`
  return cookies.length === 0 ? known : { ...known, 'set-cookie': cookies.join('\n') }
}

const shortened = (text: string) =>
  text.length < 400_000
    ? text
    : `<${text.length} letters, sha256 ${new Bun.CryptoHasher('sha256').update(text).digest('hex')}>`
