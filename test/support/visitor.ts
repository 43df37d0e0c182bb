import { expect } from 'bun:test'
import { startSession } from '../../src/accounts/sign-in/session'
import { createSecret } from '../../src/lib/secret'
import { cookieName } from '../../src/web/cookies'
import type { Instance } from './instance'

/** Somebody with a browser without JavaScript: keeps cookies, fills in forms. */
export interface Visitor {
  readonly cookies: Map<string, string>
  /** Opens a page without following redirects. */
  open(target: string, init?: RequestInit): Promise<Page>
  /** Opens a page and follows redirects within the instance. */
  follow(target: string): Promise<Page>
  /** Opens the page at `target` and sends its form for `action` (by default its own path), filled in. */
  submit(target: string, values?: Readonly<Record<string, string>>, action?: string): Promise<Page>
  /** Sends a form without opening its page; `headers` say where from. */
  post(
    target: string,
    values: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Page>
  signIn(username: string, password: string): Promise<Page>
}

/** A page received. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  /** Where a redirect leads; '' if it is none. */
  readonly location: string
  readonly text: string
  /** The text of the element with that id, '' if there is none. */
  textOf(id: string): string
}

/** The headers with which a browser sends a form of this instance. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }

export function createVisitor(
  { ask }: Pick<Instance, 'ask'>,
  { peer = '192.0.2.1', language = 'en' } = {},
): Visitor {
  const cookies = new Map<string, string>()
  const open: Visitor['open'] = async (target, init = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    if (!headers.has('accept-language')) headers.set('accept-language', language)
    const response = await ask(target, { ...init, headers }, peer)
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return pageOf(response, await response.text())
  }
  const follow: Visitor['follow'] = async (target) => {
    let page = await open(target)
    for (let turns = 0; page.location.startsWith('/') && turns < 10; turns += 1)
      page = await open(page.location)
    return page
  }
  const post: Visitor['post'] = (target, values, headers = sameOrigin) => {
    const pairs: readonly (readonly string[])[] = Array.isArray(values) ? values : Object.entries(values)
    const body = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return open(target, { method: 'POST', body, headers: { ...type, ...headers } })
  }
  const submit: Visitor['submit'] = async (target, values = {}, action = target.replace(/\?.*/, '')) => {
    const page = await open(target)
    expect([target, page.status, page.location]).toEqual([target, 200, ''])
    return await post(action, { ...hiddenInputs(page.text, action), ...values })
  }
  const signIn: Visitor['signIn'] = (username, password) => submit('/sign_in', { username, password })
  return { cookies, open, follow, post, submit, signIn }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value)
}

function pageOf(response: Response, text: string): Page {
  const { status, headers } = response
  const textOf = (id: string) =>
    unescaped(new RegExp(`<[a-z0-9]+ [^>]*id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1]?.trim() ?? '')
  return { status, headers, location: headers.get('location') ?? '', text, textOf }
}

/** The hidden inputs of the form for `action`, as names and values. */
export function hiddenInputs(text: string, action: string): Record<string, string> {
  const forms = [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)]
  const form = forms.find(([, target]) => unescaped(target ?? '') === action)
  if (form === undefined) throw new Error(`no form is sent to ${action}`)
  const inputs = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

/** A signed-in visitor, without the time that checking a password takes. */
export async function createMember(kiroku: Instance, username: string, options = {}): Promise<Visitor> {
  const { deps } = kiroku
  const visitor = createVisitor(kiroku, options)
  const { id } = await deps.read
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  const cookie = createSecret('se', deps.random)
  const browser = { userAgent: 'test', address: '192.0.2.1' }
  const session = { userId: id, cookie, browser, at: deps.now(), believed: deps.wallClock.believed() }
  await deps.write((tx) => startSession(tx, session))
  visitor.cookies.set(cookieName('sid', deps.config.baseUrl), cookie)
  return visitor
}
