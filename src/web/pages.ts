import type { Deps } from '../deps'
import { readerOf } from '../http/answers-in-flight'
import { encodingFor } from '../http/compression'
import { faultOf } from '../http/faults'
import { programs } from '../http/programs'
import { allow, allowFrom } from '../http/rate-limit'
import type { PageContent } from '../pages/layout'
import { renderPage } from '../pages/render'
import { errorPage, problemPage } from './error-page'
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
  return errorPage(visit, faultOf(deps, cause, context.id))
}

/** For a field that the form does not show, so no browser sent it. */
const unknownFieldProblem = ({ status, text, headers }: FormProblem) =>
  new PageProblem(status, (t) => [t.form.notUnderstood, text(t)], headers)
