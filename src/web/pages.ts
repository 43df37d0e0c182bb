import type { Deps } from '../deps'
import { readerOf } from '../http/answers-in-flight'
import { encodingFor } from '../http/compression'
import type { ApiError } from '../http/errors'
import { faultOf } from '../http/faults'
import { programs } from '../http/programs'
import { allow, allowFrom } from '../http/rate-limit'
import { pageScript } from '../pages/assets'
import { html, type Markup } from '../pages/html'
import { type IconName, icon } from '../pages/icons'
import type { PageContent } from '../pages/layout'
import { renderPage } from '../pages/render'
import { type ToastOf, withToast } from './flash'
import { backInApp, lacksFactor, type PageRoute, seeOther } from './page'
import { refusedPress, wantsJson } from './press-answer'
import { AnswerInstead, errorText, explanations, FormProblem, PageProblem } from './problem'
import { pageBefore, returnPath, returnTarget } from './return-to'
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
      : renderPage(
          await withToast(visit, toastOf),
          { ...content, backInApp: backInApp(visit, content) },
          {
            encoding: encodingFor(visit.request),
            reader: readerOf(visit.context),
          },
        )
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
  if (wantsJson(visit)) return refusedPress(visit, cause)
  if (cause instanceof AnswerInstead) return cause.response
  if (cause instanceof PageProblem) return problemPage(visit, cause)
  if (cause instanceof FormProblem) return problemPage(visit, unknownFieldProblem(cause))
  return errorPage(visit, faultOf(deps, cause, context.id))
}

function errorPage(visit: Visit, error: ApiError): PageContent {
  const { type, status, headers } = error
  const kind = status === 404 ? 'address' : undefined
  const words = (t: Visit['t']) => [t.errorTitles[type], errorText(t, error)] as const
  const lang = type in explanations ? undefined : 'en'
  return problemPage(visit, new PageProblem(status, words, headers, kind), lang)
}

/** What happened, what it means, the way out, and the number that finds it in the log. `lang` of the text. */
function problemPage(visit: Visit, problem: PageProblem, lang?: string): PageContent {
  const { t, session } = visit
  const { status, headers, kind, special } = problem
  const [title, text] = problem.words(t)
  const who =
    kind === 'account' && session ? html`${t.problem.signedInAs(session.username)}${t.common.gap}` : ''
  const mark = special === undefined ? '' : html` data-problem="${special.mark}"`
  const main = html`<div class="failure"${mark}>
      <div class="sign${status >= 500 ? ' wrong' : ''}">${icon(drawingOf(problem), 40)}</div>
      <h1>${title}</h1>
      <p${lang === undefined ? '' : html` lang="${lang}"`}>${who}${text}</p>
      ${status === 429 ? countdown(visit, headers['Retry-After']) : ''}
      <div class="buttons">${waysOut(visit, problem)}</div>
      ${status === 404 ? '' : reference(visit)}
    </div>`
  return { title, main, status, headers, head: pageScript(visit, 'failure.js') }
}

function drawingOf({ status, kind }: PageProblem): IconName {
  if (status >= 500) return 'warning'
  if (status === 429) return 'clock'
  if (status === 403) return 'lock'
  return kind === 'address' ? 'find' : 'question'
}

/** `script/single/failure.ts` counts the seconds. */
function countdown({ t }: Visit, seconds = '60'): Markup {
  const left = Number(seconds)
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return html`<p class="countdown"><span class="unseen">${t.problem.wait}</span> <b data-countdown="${left}">${clock}</b></p>`
}

interface Way {
  /** Without the base path. */
  readonly path: string
  readonly name: string
}

/** The first is the page's filled button. */
function waysOut(visit: Visit, problem: PageProblem): readonly Markup[] {
  const { t, basePath, session } = visit
  const home = { path: '/', name: session === undefined ? t.layout.toHome : t.diary.toTrack }
  const ways = [...ownWays(visit, problem, home), home]
  const isNew = ({ path }: Way, at: number) => ways.findIndex((other) => other.path === path) === at
  const kindOf = (at: number) => (at === 0 ? 'filled' : 'quiet')
  return ways
    .filter(isNew)
    .slice(0, 2)
    .map(({ path, name }, at) => html`<a class="button ${kindOf(at)}" href="${basePath}${path}">${name}</a>`)
}

function ownWays(visit: Visit, { status, kind, special }: PageProblem, home: Way): readonly Way[] {
  const { t, session, deps, request } = visit
  if (special !== undefined) return [{ path: special.way.path, name: special.way.name(t) }]
  const before = pageBefore(visit)
  const back =
    before === undefined || before === returnPath(visit) ? [] : [{ path: before, name: t.problem.back }]
  const isOpen = session !== undefined || deps.config.publicCatalogue
  if (kind === 'address') return isOpen ? [{ path: '/search', name: t.problem.search }] : []
  if (kind === 'account') return [back[0] ?? home, { path: '/sign_in', name: t.problem.otherAccount }]
  const mayPass = status === 429 || status >= 500
  return mayPass && request.method === 'GET' ? [{ path: returnPath(visit), name: t.common.again }] : back
}

/** The script shows the button, which copies it. */
const reference = ({ t, context }: Visit): Markup =>
  html`<p class="reference">${t.problem.reference} <code id="reference">${context.id}</code> <button class="small" data-copy="reference" hidden>${t.common.copy}</button></p>`

/** For a field that the form does not show, so no browser sent it. */
const unknownFieldProblem = ({ status, text, headers }: FormProblem) =>
  new PageProblem(status, (t) => [t.form.notUnderstood, text(t)], headers)
