import { PasswordsBusy } from '../accounts/account/password'
import { type BodyRules, readBody, type Sent, Unusable } from '../http/sent'
import { FieldProblem } from '../lib/field-problem'
import { inEnglish, type Message } from '../messages/languages'
import type { Markup } from '../pages/html'
import type { Shown } from '../pages/layout'
import { checkOrigin, checkToken } from './csrf'
import { type Fields, Unfit, type ValuesOf } from './fields'
import { formMarkup, type Typed } from './form-markup'
import { type Access, definePage, type PageRoute } from './page'
import { FormProblem, PageProblem } from './problem'
import { isRepeated, sentBefore } from './sent-once'
import { lookedAtAgain, type Visit } from './visit'

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
  show(visit: V, form: Markup, texts: Typed['texts']): Shown | Promise<Shown>
  /** What is wrong with values that each field took, beyond what a field can tell by itself. Of the others none is there. */
  problems?(visit: NoInfer<V>, values: Partial<ValuesOf<F>>): readonly FieldProblem[]
  /** Does what the form is for. Throws `FormProblem` or `FieldProblem` for what cannot be: the form is shown again, with what was typed. */
  submit(visit: V, values: ValuesOf<F>): Shown | Response | Promise<Shown | Response>
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
  run(visit: V, sent: Sent): Shown | Response | Promise<Shown | Response>
}): PageRoute {
  const { path, access, run } = action
  const answer = async (visit: Visit) => {
    const sent = await readProven(visit).catch((cause) => {
      if (cause instanceof PageProblem) noteRefusal(visit, path, cause)
      throw cause
    })
    return await run(await access(await lookedAtAgain(visit)), sent)
  }
  return { method: 'POST', path, answer }
}

async function readProven({ request, deps, cookie }: Visit): Promise<Sent> {
  checkOrigin(request, deps.config.baseUrl)
  const sent = await readBody(request, formBody)
  checkToken(textOf(sent, 'csrf'), cookie)
  return sent
}

function noteRefusal({ deps, arrival, session }: Visit, path: string, { text }: PageProblem): void {
  deps.log('csrf_refused', { id: arrival.id, path, user: session?.userId, why: inEnglish(text) })
}

/** The text sent under a name, '' for none. Throws `FormProblem` for one that is no text, or was sent twice. */
export function textOf(sent: Sent, name: string): string {
  const text = sent.get(name) ?? ''
  if (text instanceof Unusable) throw new FormProblem(name, (t) => t.form.notText)
  return text
}

/** The bodies of forms (D13). */
const formBody: BodyRules = { maxBytes: 64 * 1024, json: false, repeats: false, sender: 'anyone' }

async function shown<V extends Visit, F extends Fields>(form: Form<V, F>, visit: V, typed: Typed) {
  return await form.show(visit, formMarkup(visit, form, typed), typed.texts)
}

async function submit<V extends Visit, F extends Fields>(form: Form<V, F>, visit: V, sent: Sent) {
  const typed = readFields(form.fields, sent)
  for (const { field, text } of form.problems?.(visit, typed.values as Partial<ValuesOf<F>>) ?? [])
    typed.problems[field] ??= text
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
  typed: Typed,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<Shown> {
  const page = await shown(form, visit, typed)
  const title = visit.look.t.common.error(page.title)
  return { ...page, title, status, headers: { ...page.headers, ...headers } }
}

function readFields(fields: Fields, sent: Sent) {
  const texts: Record<string, string> = {}
  const problems: Record<string, Message> = {}
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    try {
      texts[name] = textOf(sent, name)
      values[name] = field.read(texts[name])
    } catch (cause) {
      if (!isAboutText(cause)) throw cause
      problems[name] = cause.text
    }
  }
  return { texts, problems, values }
}

const isAboutText = (cause: unknown): cause is { readonly text: Message } =>
  cause instanceof Unfit || cause instanceof FormProblem || cause instanceof FieldProblem
