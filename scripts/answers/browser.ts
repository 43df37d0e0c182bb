import type { Came, Recorder } from './recorder'
import { password } from './seed'

type Values = Readonly<Record<string, string>>

/** A form of a page: where it goes, what is hidden in it, and the names one can fill in. */
export interface PageForm {
  readonly action: string
  readonly hidden: Values
  readonly names: readonly string[]
}

/** Somebody with a browser: keeps cookies and fills in forms, without JavaScript. */
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

  open(target: string): Promise<Came> {
    return this.#send({ target, said: `by ${this.#who}, ${this.#language}` })
  }

  /** Sends a form that was not opened, or was changed. */
  post(target: string, values: Values, headers: Values = sameOrigin): Promise<Came> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const from = headers === sameOrigin ? '' : ` ${JSON.stringify(headers)}`
    return this.#send({
      method: 'POST',
      target,
      headers: { ...type, ...headers },
      body: new URLSearchParams({ ...values }).toString(),
      said: `by ${this.#who}, ${this.#language}${from} ${JSON.stringify(masked(values))}`,
    })
  }

  /** Opens a page and sends the form on it that goes to `action` or has fields of these names. */
  async submit(target: string, values: Values = {}, action?: string): Promise<Came> {
    const { text } = await this.open(target)
    const all = formsOf(text)
    const form =
      action === undefined ? formWith(all, Object.keys(values)) : all.find((one) => one.action === action)
    if (form === undefined) console.error(`no form ${action ?? ''} with ${Object.keys(values)} on ${target}`)
    return await this.post(form?.action ?? target, { ...form?.hidden, ...values })
  }

  /** Signs in, an hour later, so that no limit counts what was before. */
  async signIn(username: string, secret = password): Promise<Came> {
    this.#recorder.instance.clock.advance(3600)
    return await this.submit('/sign_in', { username, password: secret })
  }

  async #send(asked: Parameters<Recorder['ask']>[0]): Promise<Came> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const standing = { accept: 'text/html', 'accept-language': this.#language }
    const headers = { ...standing, ...(cookie !== '' && { cookie }), ...asked.headers }
    const came = await this.#recorder.ask({ ...asked, headers })
    for (const line of came.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (/Max-Age=0/.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return came
  }
}

/** The form that has all these fields, the one below others first: the page's own ones follow those of its head. */
const formWith = (forms: readonly PageForm[], names: readonly string[]) =>
  forms.findLast(
    (form) =>
      form.action !== '/sign_out' && names.every((name) => form.names.includes(name) || name in form.hidden),
  )

/** What proves something is said to be there, and no more. */
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

/** The path of a link that is shown once: what is behind the base URL. */
export const linkIn = (text: string) => /http:\/\/localhost(\/[\w/]*kir_\w+)/.exec(unescaped(text))?.[1] ?? ''

/** The text of the element with an id; '' for none. */
export const textAt = (text: string, id: string) =>
  unescaped(new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1]?.trim() ?? '')

const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
