import { PasswordsBusy } from '../accounts/account/password'
import { type BodyRules, NotText, type RawValues, readBody } from '../http/request-values'
import { inEnglish, type Message } from '../messages/languages'
import type { Markup } from '../pages/html'
import type { PageContent } from '../pages/layout'
import { FieldProblem } from '../values/field-problem'
import { InvalidValue } from '../values/value'
import { checkOrigin, checkToken } from './csrf'
import type { Fields, ValuesOf } from './fields'
import { type FormState, formMarkup } from './form-markup'
import { type Access, definePage, type PageRoute } from './page'
import { FormProblem, PageProblem } from './problem'
import { isRepeated, sentBefore } from './sent-once'
import { type Visit, withCurrentSession } from './visit'

interface Form<V extends Visit, F extends Fields> {
  readonly path: string
  readonly access: Access<V>
  readonly fields: F
  /** What its button says. */
  readonly button: Message
  /** For a form that makes what is shown once: it is taken a single time. */
  readonly once?: true
  /** Whether it does harm that cannot be undone: its button shows that. */
  readonly isDestructive?: true
  /** What stands in the fields at first, by name. */
  initial?(visit: V): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** The page around the form; `texts` are what stands in its fields. */
  show(visit: V, form: Markup, texts: FormState['texts']): PageContent | Promise<PageContent>
  /** Values that each field took, read by a rule about more than their field, by name; of the others none is there. */
  checkTogether?(visit: NoInfer<V>, values: Partial<ValuesOf<F>>): Readonly<Record<string, unknown>>
  /** Does what the form is for. Throws `FormProblem` or `FieldProblem` for what cannot be: the form is shown again, with what was typed. */
  submit(visit: V, values: ValuesOf<F>): PageContent | Response | Promise<PageContent | Response>
}

/** Declares a page with one form: GET shows it, POST checks it (oauth.md §2.3), reads it and does what it is for. */
export function defineForm<V extends Visit, F extends Fields>(form: Form<V, F>): readonly PageRoute[] {
  const { path, access } = form
  const show = async (visit: V) => {
    const texts = (await form.initial?.(visit)) ?? {}
    return shown(form, visit, { texts, problems: {} })
  }
  return [
    definePage({ path, access, show }),
    defineAction({ path, access, run: (visit, sent) => submit(form, visit, sent) }),
  ]
}

/** Declares what a button does: a POST with the proof of its page (oauth.md §2.3), answered with a redirect mostly. */
export function defineAction<V extends Visit>(action: {
  path: string
  access: Access<V>
  run(visit: V, sent: RawValues): PageContent | Response | Promise<PageContent | Response>
}): PageRoute {
  const { path, access, run } = action
  const answer = async (visit: Visit) => {
    const sent = await readProven(visit).catch((cause) => {
      if (cause instanceof PageProblem) noteRefusal(visit, path, cause)
      throw cause
    })
    return await run(await access(await withCurrentSession(visit)), sent)
  }
  return { method: 'POST', path, answer }
}

async function readProven({ request, deps, cookie }: Visit): Promise<RawValues> {
  checkOrigin(request, deps.config.baseUrl)
  const sent = await readBody(request, formBody)
  checkToken(textOf(sent, 'csrf'), cookie)
  return sent
}

function noteRefusal({ deps, context, session }: Visit, path: string, { text }: PageProblem): void {
  deps.log('csrf_refused', { id: context.id, path, user: session?.userId, why: inEnglish(text) })
}

/** The text sent under a name, '' for none. Throws `FormProblem` for one that is no text, or was sent twice. */
export function textOf(sent: RawValues, name: string): string {
  const text = sent.get(name) ?? ''
  if (text instanceof NotText) throw new FormProblem(name, notText.rule)
  return text
}

/** The bodies of forms (D13). */
const formBody: BodyRules = { maxBytes: 64 * 1024, json: false, repeats: false, sender: 'anyone' }

async function shown<V extends Visit, F extends Fields>(form: Form<V, F>, visit: V, typed: FormState) {
  return await form.show(visit, formMarkup(visit, form, typed), typed.texts)
}

async function submit<V extends Visit, F extends Fields>(form: Form<V, F>, visit: V, sent: RawValues) {
  const typed = readFields(form.fields, sent)
  const again = form.checkTogether?.(visit, typed.values as Partial<ValuesOf<F>>) ?? {}
  for (const [name, value] of Object.entries(again))
    if (value instanceof InvalidValue) typed.problems[name] ??= value.rule
  if (Object.keys(typed.problems).length > 0) return refused(form, visit, typed, 422, {})
  if (form.once && (await isRepeated(visit, sent)))
    return refused(form, visit, { ...typed, problems: { '': sentBefore } }, 409, {})
  try {
    return await form.submit(visit, typed.values as ValuesOf<F>)
  } catch (cause) {
    const problem = formProblem(cause)
    if (problem === undefined) throw cause
    const problems = { [problem.field]: problem.text }
    return refused(form, visit, { ...typed, problems }, problem.status, problem.headers)
  }
}

/** What a form says of something thrown; undefined for what is no fault of what was typed. */
function formProblem(cause: unknown): FormProblem | undefined {
  if (cause instanceof FormProblem) return cause
  if (cause instanceof FieldProblem) return new FormProblem(cause.field, cause.text)
  return cause instanceof PasswordsBusy ? busy() : undefined
}

const busy = () => new FormProblem('', (t) => t.form.busy, 503, { 'Retry-After': '5' })

async function refused<V extends Visit, F extends Fields>(
  form: Form<V, F>,
  visit: V,
  typed: FormState,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<PageContent> {
  const page = await shown(form, visit, typed)
  const title = visit.pageContext.t.common.error(page.title)
  return { ...page, title, status, headers: { ...page.headers, ...headers } }
}

function readFields(fields: Fields, sent: RawValues) {
  const texts: Record<string, string> = {}
  const problems: Record<string, Message> = {}
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const text = sent.get(name) ?? ''
    const value = text instanceof NotText ? notText : field.read(text)
    if (!(text instanceof NotText)) texts[name] = text
    if (value instanceof InvalidValue) problems[name] = value.rule
    else values[name] = value
  }
  return { texts, problems, values }
}

const notText = new InvalidValue((t) => t.form.notText)
