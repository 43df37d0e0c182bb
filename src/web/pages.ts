import type { Deps } from '../deps'
import { readerOf } from '../http/answers-in-flight'
import { encodingFor } from '../http/compression'
import type { ApiError, ErrorType } from '../http/errors'
import { faultOf } from '../http/faults'
import { programs } from '../http/programs'
import { allow, allowFrom } from '../http/rate-limit'
import type { Message } from '../messages/languages'
import { html } from '../pages/html'
import type { PageContent, PageContext } from '../pages/layout'
import { renderPage } from '../pages/render'
import { type ToastOf, withToast } from './flash'
import { type PageRoute, seeOther } from './page'
import { AnswerInstead, FormProblem, PageProblem } from './problem'
import { lacksFactor } from './required-factor'
import { returnTarget } from './return-to'
import { openVisit, type Visit } from './visit'

export const pages = (deps: Deps, routes: readonly PageRoute[], toastOf: ToastOf) =>
  programs(
    deps,
    routes.map(({ answer, ...route }) => ({
      ...route,
      answer: async (context) => answerVisit(await openVisit(context), answer, toastOf),
    })),
  )

export async function answerVisit(
  visit: Visit,
  show: PageRoute['answer'],
  toastOf: ToastOf,
): Promise<Response> {
  const answer = async () => {
    countVisit(visit)
    return lacksFactor(visit)
      ? seeOther(visit, `/settings/two_step?return_to=${returnTarget(visit)}`)
      : show(visit)
  }
  const content = await answer().catch((cause) => contentOfError(visit, cause))
  const response =
    content instanceof Response
      ? content
      : renderPage(await withToast(visit, toastOf), content, {
          encoding: encodingFor(visit.request),
          reader: readerOf(visit.context),
        })
  for (const cookie of visit.cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Signed-in users are counted by session, because many may share an address. Throws rate_limited (D53). */
function countVisit({ limits, session, context }: Visit): void {
  if (session === undefined) allowFrom(limits?.byVisitor, context.peer)
  else allow(limits?.byVisitor, `session ${session.id}`)
}

function contentOfError(visit: Visit, cause: unknown): PageContent | Response {
  const { deps, context } = visit
  if (cause instanceof AnswerInstead) return cause.response
  if (cause instanceof PageProblem) return problemPage(visit, cause)
  if (cause instanceof FormProblem) return problemPage(visit, unknownFieldProblem(cause))
  return errorPage(visit, faultOf(deps, cause, context.id), context.id)
}

/** For a field that the form does not show, so no browser sent it. */
const unknownFieldProblem = ({ status, text, headers }: FormProblem) =>
  new PageProblem(status, (t) => [t.form.notUnderstood, text(t)], headers)

function problemPage(pageContext: PageContext, { status, words, headers }: PageProblem): PageContent {
  const [title, text] = words(pageContext.t)
  const main = html`
    <h1>${title}</h1>
    <p>${text}</p>
    ${homeLink(pageContext)}`
  return { title, main, status, headers }
}

function errorPage(pageContext: PageContext, error: ApiError, id: string): PageContent {
  const { t } = pageContext
  const { type, status, headers } = error
  const title = t.errorTitles[type]
  const explanation = explanations[type]?.(t)
  if (explanation !== undefined)
    return problemPage(pageContext, new PageProblem(status, () => [title, explanation], headers))
  const main = html`
    <h1>${title}</h1>
    <p lang="en">${error.violations.join(' ')}</p>
    <p><small>${t.problem.requestId} <code>${id}</code></small></p>
    ${homeLink(pageContext)}`
  return { title, main, status, headers }
}

/** For errors that do not explain themselves. */
const explanations: Partial<Record<ErrorType, Message>> = {
  unknown_route: (t) => t.problem.unknownRoute,
  not_found: (t) => t.problem.notFound,
  rate_limited: (t) => t.problem.rateLimited,
  payload_too_large: (t) => t.problem.tooLarge,
  method_not_allowed: (t) => t.problem.methodNotAllowed,
}

const homeLink = ({ t, basePath }: PageContext) => html`<p><a href="${basePath}/">${t.layout.toHome}</a></p>`
