import { storeKeptForm } from '../../accounts/sign-in/session'
import type { Deps } from '../../deps'
import { NotText, type RawValues } from '../../http/request-values'
import { type Act, type ActDeps, NothingChanged, RecordedBefore, UndoRefused } from '../../library/acts/act'
import type { PageContent } from '../../pages/layout'
import { InvalidValue, type Value } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { keptMember } from '../../web/kept-form'
import { type PageRoute, seeOther } from '../../web/page'
import { FormProblem, namedProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'

/** Nothing was done; `word` is the key in `acts` of the messages that says why. */
export class ActRefused extends Error {
  constructor(readonly word: 'none_aired') {
    super(word)
  }
}

type ActValues = Readonly<Record<string, Value<unknown>>>

export type Read<V extends ActValues> = {
  readonly [Name in keyof V]: Exclude<ReturnType<V[Name]['read']>, InvalidValue>
}

interface ActVisit extends MemberVisit {
  readonly deps: Deps & Pick<ActDeps, 'formId'>
}

interface ActDeclaration<V extends ActValues> {
  readonly path: string
  readonly values: V
  /** Throws `FormProblem` for a value that breaks a rule. `sent` also has fields whose names are not known in advance. */
  run(visit: ActVisit, values: Read<V>, sent: RawValues): Promise<Act>
  /** Shows the form again, if one was filled in; by default a page with the rule. */
  refuse?(visit: MemberVisit, problem: FormProblem, sent: RawValues): Promise<PageContent>
}

/** A POST with an undoable effect; redirects back to its page, which reports it. */
export const defineAct = <const V extends ActValues>(act: ActDeclaration<V>): PageRoute =>
  defineAction({
    path: act.path,
    access: keptMember,
    run: async (visit, sent) => {
      const { deps } = visit
      const back = safeReturn(formText(sent, 'return_to'), deps.config.baseUrl)
      try {
        const values = readValues(act.values, sent, deps.now())
        const pressed = { ...visit, deps: { ...deps, formId: formIdOf(sent) } }
        const { id, undoneAt } = await act.run(pressed, values, sent)
        if (sent.has('kept')) await deps.write((tx) => storeKeptForm(tx, visit.session.id, null))
        setFlash(visit, undoneAt === null ? 'done' : 'undone', id)
      } catch (cause) {
        if (cause instanceof FormProblem) return await (act.refuse ?? refuse)(visit, cause, sent)
        const refusal = refusalOf(cause)
        if (refusal === undefined) throw cause
        setFlash(visit, refusal.word, refusal.act)
      }
      return seeOther(visit, back)
    },
  })

/** Without one, as from programs, each request is a press of its own. */
function formIdOf(sent: RawValues): string | undefined {
  const text = formText(sent, 'form_id')
  if (text === '') return undefined
  if (!/^[A-Za-z0-9_-]{22}$/.test(text)) throw new FormProblem('form_id', (t) => t.form.notOffered)
  return text
}

function readValues<V extends ActValues>(values: V, sent: RawValues, now: number): Read<V> {
  const read = Object.entries(values).map(([field, value]) => {
    const text = sent.get(field) ?? ''
    const result = text instanceof NotText ? text : value.read(text, now)
    if (result instanceof InvalidValue) throw new FormProblem(field, result.rule)
    return [field, result]
  })
  return Object.fromEntries(read)
}

/** `act`: the one to undo first. */
function refusalOf(cause: unknown): { readonly word: string; readonly act?: number | undefined } | undefined {
  if (cause instanceof UndoRefused) return { word: cause.problem, act: cause.blockedBy }
  if (cause instanceof RecordedBefore) return { word: 'recorded_before' }
  if (cause instanceof NothingChanged)
    return { word: cause.kind === 'episode' ? 'not_recorded_yet' : 'unchanged' }
  return cause instanceof ActRefused ? { word: cause.word } : undefined
}

async function refuse(_: MemberVisit, problem: FormProblem): Promise<PageContent> {
  throw namedProblem(problem)
}
