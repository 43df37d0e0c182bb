import { PasswordsBusy } from '../accounts/account/password'
import { type Sender, strangerAt } from '../http/bodies-in-flight'
import { ApiError } from '../http/errors'
import { type BodyRules, NotText, type RawValues, readBody, SentFile } from '../http/request-values'
import type { Messages } from '../messages/en'
import { inEnglish, type Message } from '../messages/languages'
import type { Markup } from '../pages/html'
import type { PageContent } from '../pages/layout'
import { FieldProblem } from '../values/field-problem'
import { InvalidValue } from '../values/value'
import { checkOrigin, checkToken } from './csrf'
import type { FormFields, ValuesOf } from './fields'
import { type FormState, formMarkup, takesFile } from './form-markup'
import { type AccessCheck, definePage, type PageRoute } from './page'
import { FormProblem, PageProblem } from './problem'
import { alreadySent, isResubmission } from './sent-once'
import { type Visit, withCurrentSession } from './visit'

interface Form<V extends Visit, F extends FormFields> {
  readonly path: string
  readonly access: AccessCheck<V>
  readonly fields: F
  readonly button: Message
  /** Accepted only once, because its result is shown once. */
  readonly once?: true
  readonly isDestructive?: true
  /** Whether something else on the page comes first. */
  isSecond?(visit: V): boolean
  /** The value of `data-act`, as of the forms of acts. */
  readonly act?: string
  initial?(visit: V): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** What it has above its fields; with what was sent, if it is shown again. */
  above?(visit: V, sent: RawValues | undefined): Markup | Promise<Markup>
  show(visit: V, form: Markup, texts: FormState['texts']): PageContent | Promise<PageContent>
  /** Rules across fields. Gets only the accepted values; returns values or `InvalidValue` by field. */
  checkTogether?(visit: NoInfer<V>, values: Partial<ValuesOf<F>>): Readonly<Record<string, unknown>>
  /** Throws `FormProblem` or `FieldProblem` to show the form again as typed. */
  submit(
    visit: V,
    values: ValuesOf<F>,
    sent: RawValues,
  ): PageContent | Response | Promise<PageContent | Response>
}

export function defineForm<V extends Visit, F extends FormFields>(form: Form<V, F>): readonly PageRoute[] {
  const { path, access } = form
  const show = async (visit: V) => {
    const texts = (await form.initial?.(visit)) ?? {}
    return renderForm(form, visit, { texts, problems: {} })
  }
  return [
    definePage({ path, access, show }),
    defineAction({
      path,
      access,
      ...(takesFile(form.fields) && { body: fileBody, runTooLarge: (visit) => refuseFile(form, visit) }),
      run: (visit, sent) => submit(form, visit, sent),
    }),
  ]
}

/** A POST with a CSRF token, usually answered with a redirect. */
export function defineAction<V extends Visit>({
  path,
  access,
  body = formBody,
  runTooLarge,
  run,
}: {
  path: string
  access: AccessCheck<V>
  readonly body?: BodyRules
  /** Called instead of `run` if the body is too large to be read. */
  runTooLarge?(visit: V): Promise<PageContent>
  run(visit: V, sent: RawValues): PageContent | Response | Promise<PageContent | Response>
}): PageRoute {
  const answer = async (visit: Visit) => {
    let sent: RawValues
    try {
      sent = await readCheckedForm(visit, body, access)
    } catch (cause) {
      if (cause instanceof PageProblem) noteRefusal(visit, path, cause)
      if (runTooLarge === undefined || !isTooLarge(cause)) throw cause
      return await runTooLarge(await access(visit))
    }
    return await run(await access(await withCurrentSession(visit)), sent)
  }
  return { method: 'POST', path, answer }
}

const isTooLarge = (cause: unknown): boolean =>
  cause instanceof ApiError && cause.type === 'payload_too_large'

async function readCheckedForm<V extends Visit>(
  visit: Visit,
  body: BodyRules,
  access: AccessCheck<V>,
): Promise<RawValues> {
  const { request, deps, cookie, session } = visit
  checkOrigin(request, deps.config.baseUrl)
  const sent = await readBody(request, session === undefined ? formBody : body, senderOf(visit))
  // Without a session nothing can be forged: sign in first, perhaps after signing out in another tab.
  if (session === undefined) await access(visit)
  checkToken(formText(sent, 'csrf'), cookie)
  return sent
}

/** For what executes nothing: any session or none, but from a page of this instance. */
export async function readOwnForm(visit: Visit): Promise<RawValues> {
  checkOrigin(visit.request, visit.deps.config.baseUrl)
  return await readBody(visit.request, formBody, senderOf(visit))
}

const senderOf = ({ session, context }: Visit): Sender =>
  session === undefined ? strangerAt(context.peer) : { pool: 'members', key: String(session.userId) }

/** Logs a form that was refused because it may come from another site. */
export function noteRefusal({ deps, context, session }: Visit, path: string, { words }: PageProblem): void {
  const why = inEnglish((t) => words(t)[1])
  deps.log('csrf_refused', { id: context.id, path, user: session?.userId, why })
}

/** '' if absent. Throws `FormProblem` for a file or a repeated name. */
export function formText(sent: RawValues, name: string): string {
  const text = sent.get(name) ?? ''
  if (text instanceof NotText) throw new FormProblem(name, notText.rule)
  return text
}

/** Form bodies (D13), including anything that strangers send. */
const formBody: BodyRules = { maxBytes: 64 * 1024, json: false, repeats: false }

const mostMegabytes = 5

/** That much for the file, plus the other fields. */
export const fileBody: BodyRules = {
  ...formBody,
  maxBytes: (mostMegabytes * 1024 + 64) * 1024,
  takesFiles: true,
}

async function renderForm<V extends Visit, F extends FormFields>(
  form: Form<V, F>,
  visit: V,
  state: FormState,
) {
  const above = await form.above?.(visit, state.sent)
  const isSecond = form.isSecond?.(visit)
  return await form.show(visit, formMarkup(visit, { ...form, isSecond }, { ...state, above }), state.texts)
}

async function submit<V extends Visit, F extends FormFields>(form: Form<V, F>, visit: V, sent: RawValues) {
  const state = readFields(form.fields, sent)
  const crossChecked = form.checkTogether?.(visit, state.values as Partial<ValuesOf<F>>) ?? {}
  for (const [name, value] of Object.entries(crossChecked))
    if (value instanceof InvalidValue) state.problems[name] ??= value.rule
  if (Object.keys(state.problems).length > 0) return formWithProblems(form, visit, state, 422, {})
  if (form.once && (await isResubmission(visit, sent)))
    return formWithProblems(form, visit, { ...state, problems: { '': alreadySent } }, 409, {})
  try {
    return await form.submit(visit, state.values as ValuesOf<F>, sent)
  } catch (cause) {
    const problem = formProblem(cause)
    if (problem === undefined) throw cause
    const problems = { [problem.field]: problem.text }
    return formWithProblems(form, visit, { ...state, problems }, problem.status, problem.headers)
  }
}

/** For a form beside others on a page: what is wrong is shown there. `page` shows it without a status. */
export async function orShownAgain(
  run: () => Promise<PageContent | Response>,
  page: (problem: FormProblem) => Promise<PageContent>,
): Promise<PageContent | Response> {
  try {
    return await run()
  } catch (cause) {
    const problem = formProblem(cause)
    if (problem === undefined) throw cause
    const { status, headers } = problem
    return { ...(await page(problem)), status, headers }
  }
}

function formProblem(cause: unknown): FormProblem | undefined {
  if (cause instanceof FormProblem) return cause
  if (cause instanceof FieldProblem) return new FormProblem(cause.field, cause.text)
  return cause instanceof PasswordsBusy ? busy() : undefined
}

const busy = () => new FormProblem('', (t) => t.form.busy, 503, { 'Retry-After': '5' })

async function formWithProblems<V extends Visit, F extends FormFields>(
  form: Form<V, F>,
  visit: V,
  state: FormState,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<PageContent> {
  const page = await renderForm(form, visit, state)
  const title = visit.t.common.error(page.title)
  return { ...page, title, status, headers: { ...page.headers, ...headers } }
}

async function refuseFile<V extends Visit, F extends FormFields>(form: Form<V, F>, visit: V) {
  const texts = (await form.initial?.(visit)) ?? {}
  const files = Object.keys(form.fields).filter((name) => form.fields[name]?.control.kind === 'file')
  const problems = Object.fromEntries(
    files.map((name) => [name, (t: Messages) => t.form.fileTooLarge(mostMegabytes)]),
  )
  return formWithProblems(form, visit, { texts, problems }, 413, {})
}

function readFields(fields: FormFields, sent: RawValues) {
  const texts: Record<string, string> = {}
  const problems: Record<string, Message> = {}
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const text = sent.get(name) ?? ''
    const value = readField(field, text)
    if (!(text instanceof NotText)) texts[name] = text
    if (value instanceof InvalidValue) problems[name] = value.rule
    else values[name] = value
  }
  return { texts, problems, values, sent }
}

function readField(field: FormFields[string], sent: string | NotText): unknown {
  if (sent instanceof SentFile && field.readFile !== undefined) return field.readFile(sent.bytes)
  return sent instanceof NotText ? notText : field.read(sent)
}

const notText = new InvalidValue((t) => t.form.notText)
