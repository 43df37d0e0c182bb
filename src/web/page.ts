import type { ApiError } from '../http/errors'
import { faultOf } from '../http/faults'
import { allow, allowFrom } from '../http/rate-limit'
import { html } from '../pages/html'
import { page as draw, type Look, type Shown } from '../pages/layout'
import { FormProblem, Instead, PageProblem } from './problem'
import { explanationOf, titleOf } from './problem-title'
import { lacksFactor } from './required-factor'
import { comingBack } from './return-to'
import type { Visit } from './visit'

/** Lets a visit through as what a page needs it to be, or throws what is answered instead; see `access.ts`. */
export type Access<V extends Visit> = (visit: Visit) => V | Promise<V>

/** A page, or what a form on one does: like a `Route`, but it knows who is asking. */
export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** Path parameters as `:id`. */
  readonly path: string
  /** Its operation in the API's documentation; undefined for what is for people alone. */
  readonly detail?: object
  /** What is thrown becomes a page that says so. */
  answer(visit: Visit): Promise<Shown | Response>
}

/** Declares a page: what is shown to those who have access. Every other way is answered here. */
export const definePage = <V extends Visit>(page: {
  path: string
  access: Access<V>
  show(visit: V): Shown | Response | Promise<Shown | Response>
}): PageRoute => ({
  method: 'GET',
  path: page.path,
  answer: async (visit) => page.show(await page.access(visit)),
})

/** Answers a visit with what `show` makes of it; what is thrown meanwhile becomes a page that says so. */
export async function answerVisit(visit: Visit, show: PageRoute['answer']): Promise<Response> {
  const answer = async () => {
    count(visit)
    return lacksFactor(visit)
      ? seeOther(visit, `/settings/two_step?return_to=${comingBack(visit)}`)
      : show(visit)
  }
  const response = drawn(visit.look, await answer().catch((cause) => insteadOf(visit, cause)))
  for (const cookie of visit.cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Whoever is signed in is counted alone, since many may share an address. Throws rate_limited (D53). */
function count({ limits, session, arrival }: Visit): void {
  if (session === undefined) allowFrom(limits?.byVisitor, arrival.peer)
  else allow(limits?.byVisitor, `session ${session.id}`)
}

const drawn = (look: Look, shown: Shown | Response): Response =>
  shown instanceof Response ? shown : draw(look, shown)

/** A redirect after a form, or to where something has to be done first: always 303, so that it is asked with GET. */
export function seeOther({ look }: Visit, path: string): Response {
  const headers = { Location: look.basePath + path, 'Cache-Control': 'no-store', ...betweenPages }
  return new Response(null, { status: 303, headers })
}

/** What every redirect has as pages have: without it the browser forgets which of our pages opened this one. */
export const keepingOpener = { 'Cross-Origin-Opener-Policy': 'same-origin' }

/** As pages say: what a redirect says of the address holds for the page it leads to being asked for. */
const betweenPages = { ...keepingOpener, 'Referrer-Policy': 'same-origin' }

function insteadOf({ deps, arrival, look }: Visit, cause: unknown): Shown | Response {
  if (cause instanceof Instead) return cause.response
  if (cause instanceof PageProblem) return problemPage(look, cause)
  if (cause instanceof FormProblem) return problemPage(look, ofNoForm(cause))
  return errorPage(look, faultOf(deps, cause, arrival), arrival.id)
}

/** What is wrong with a field that no shown form has: the browser of a person would not have sent it. */
const ofNoForm = ({ status, text, headers }: FormProblem) =>
  new PageProblem(status, (t) => t.form.notUnderstood, text, headers)

/** A page that says what is wrong, and where to go from there. */
function problemPage(look: Look, problem: PageProblem): Shown {
  const { t } = look
  const { status, title, text, headers } = problem
  const main = html`
    <h1>${title(t)}</h1>
    <p>${text(t)}</p>
    ${wayBack(look)}`
  return { title: title(t), main, status, headers }
}

/** The page of an error that the API has too. */
function errorPage(look: Look, error: ApiError, id: string): Shown {
  const { t } = look
  const { type, status, headers } = error
  const explanation = explanationOf(type)
  if (explanation !== undefined)
    return problemPage(look, new PageProblem(status, titleOf(type), explanation, headers))
  const title = titleOf(type)(t)
  const main = html`
    <h1>${title}</h1>
    <p lang="en">${error.violations.join(' ')}</p>
    <p><small>${t.problem.requestId} <code>${id}</code></small></p>
    ${wayBack(look)}`
  return { title, main, status, headers }
}

const wayBack = ({ t, basePath }: Look) => html`<p><a href="${basePath}/">${t.layout.toHome}</a></p>`
