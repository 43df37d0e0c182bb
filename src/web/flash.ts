import { isPrefetch, pathOf } from '../http/incoming'
import type { Markup } from '../pages/html'
import type { PageContext } from '../pages/layout'
import { cookieOf, setCookie } from './cookies'
import type { Visit } from './visit'

/** What the next page is to report, once: a word and a number, such as the id of an act. */
export interface Flash {
  readonly word: string
  readonly id: number
}

export type ToastOf = (visit: Visit, flash: Flash) => Promise<Markup | undefined>

/** Kept in a cookie for a minute: the page after the redirect shows it. */
export function setFlash({ cookies, deps }: Visit, word: string, id = 0): void {
  cookies.push(setCookie('flash', `${word}-${id}`, 60, deps.config.baseUrl))
}

/**
 * The page's context with the message to show, which is then cleared. Not for what nobody sees: a prefetched page, or the
 * answer to a script that will go to that page (`script/answer.ts`).
 */
export async function withToast(visit: Visit, toastOf: ToastOf): Promise<PageContext> {
  const { request, deps, cookies } = visit
  const sent = cookieOf(request, 'flash', deps.config.baseUrl)
  if (sent === undefined || isPrefetch(request) || isForAnother(visit)) return visit
  cookies.push(setCookie('flash', '', 0, deps.config.baseUrl))
  const [, word = '', id = ''] = /^([a-z_]{1,20})-([0-9]{1,15})$/.exec(sent) ?? []
  const toast = await toastOf(visit, { word, id: Number(id) })
  return toast === undefined ? visit : { ...visit, toast }
}

/** The script says on which page it is. */
function isForAnother({ request, basePath }: Visit): boolean {
  const page = request.headers.get('x-kiroku-page')
  const path = pathOf(request.url)
  return page !== null && page !== path && page !== basePath + path
}
