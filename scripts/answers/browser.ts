import type { ReceivedAnswer, Recorder } from './recorder'
import { password } from './seed'

type Values = Readonly<Record<string, string>>

export interface PageForm {
  readonly action: string
  readonly hidden: Values
  readonly names: readonly string[]
}

export class Browser {
  readonly #recorder: Recorder
  readonly #who: string
  readonly #language: string
  readonly #cookies = new Map<string, string>()

  constructor(recorder: Recorder, who: string, language = 'en') {
    this.#recorder = recorder
    this.#who = who
    this.#language = language
  }

  open(target: string): Promise<ReceivedAnswer> {
    return this.#send({ target, label: `by ${this.#who}, ${this.#language}` })
  }

  post(target: string, values: Values, headers: Values = sameOrigin): Promise<ReceivedAnswer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const from = headers === sameOrigin ? '' : ` ${JSON.stringify(headers)}`
    return this.#send({
      method: 'POST',
      target,
      headers: { ...type, ...headers },
      body: new URLSearchParams({ ...values }).toString(),
      label: `by ${this.#who}, ${this.#language}${from} ${JSON.stringify(masked(values))}`,
    })
  }

  /** Opens a page and submits the form whose action is `action`, or that has fields with these names. */
  async submit(target: string, values: Values = {}, action?: string): Promise<ReceivedAnswer> {
    const { text } = await this.open(target)
    const all = formsOf(text)
    const form =
      action === undefined ? formWith(all, Object.keys(values)) : all.find((one) => one.action === action)
    if (form === undefined) console.error(`no form ${action ?? ''} with ${Object.keys(values)} on ${target}`)
    return await this.post(form?.action ?? target, { ...form?.hidden, ...values })
  }

  /** Advances the clock by an hour first, to reset the throttle. */
  async signIn(username: string, secret = password): Promise<ReceivedAnswer> {
    this.#recorder.instance.clock.advance(3600)
    return await this.submit('/sign_in', { username, password: secret })
  }

  async #send(request: Parameters<Recorder['ask']>[0]): Promise<ReceivedAnswer> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const standing = { accept: 'text/html', 'accept-language': this.#language }
    const headers = { ...standing, ...(cookie !== '' && { cookie }), ...request.headers }
    const answer = await this.#recorder.ask({ ...request, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (/Max-Age=0/.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }
}

/** The last matching form: a page's own forms come after those in its header. */
const formWith = (forms: readonly PageForm[], names: readonly string[]) =>
  forms.findLast(
    (form) =>
      form.action !== '/sign_out' && names.every((name) => form.names.includes(name) || name in form.hidden),
  )

/** Tokens are random, so only their presence is recorded. */
const masked = (values: Values) => ({
  ...values,
  ...Object.fromEntries(
    ['csrf', 'form_id', 'request'].filter((name) => values[name]).map((name) => [name, '…']),
  ),
})

export const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }

export function formsOf(text: string): PageForm[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inside = '']) => ({
      action: unescaped(action),
      hidden: Object.fromEntries(
        [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, unescaped(value)],
        ),
      ),
      names: [...inside.matchAll(/<(?:input type="(?!hidden)|textarea|select)[^>]*\bname="([^"]*)"/g)].map(
        ([, name = '']) => name,
      ),
    }),
  )
}

/** The path of a link that is shown only once, after the base URL. */
export const linkIn = (text: string) => /http:\/\/localhost(\/[\w/]*kir_\w+)/.exec(unescaped(text))?.[1] ?? ''

export const textAt = (text: string, id: string) =>
  unescaped(new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1]?.trim() ?? '')

const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
