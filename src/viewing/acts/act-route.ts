import { storeKeptForm } from '../../accounts/sign-in/session'
import { payloadTooLarge } from '../../http/errors'
import { NotText, type RawValues } from '../../http/request-values'
import {
  type Act,
  type ActDeps,
  ForgottenAct,
  NothingChanged,
  RecordedBefore,
  StatusChangedSince,
} from '../../library/acts/act'
import { formIdPattern, receiptMs } from '../../library/acts/receipts'
import { maxEpisodes } from '../../library/next-episode'
import { statusKinds } from '../../library/statuses'
import { type UndoProblem, UndoRefused } from '../../library/undo/undo-changes'
import { precisions } from '../../library/watched'
import type { Message } from '../../messages/languages'
import type { PageContent } from '../../pages/layout'
import { positiveInteger, wholeNumber } from '../../values/number'
import { anyText, oneOf, prose } from '../../values/text'
import { momentInZone } from '../../values/time'
import { InvalidValue, orBlank, type Value } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, fileBody, formText } from '../../web/form'
import { keptMember } from '../../web/kept-form'
import { member, type PageRoute, seeOther } from '../../web/page'
import { type PressAnswer, pressAnswer, wantsJson } from '../../web/press-answer'
import { FormProblem, namedProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import type { MemberVisit, VisitDeps } from '../../web/visit'

/** Nothing was done; `word` is the key in `acts` of the messages that says why. */
export class ActRefused extends Error {
  constructor(readonly word: 'none_aired' | 'favourites_full') {
    super(word)
  }
}

type ActValues = Readonly<Record<string, Value<unknown>>>

export type ReadValues<V extends ActValues> = {
  readonly [Name in keyof V]: Exclude<ReturnType<V[Name]['read']>, InvalidValue>
}

export interface ActVisit extends MemberVisit {
  readonly deps: VisitDeps & Pick<ActDeps, 'formId' | 'doneAt'>
}

/** `word` for the next page's report, if it is not `done` or `undone`. */
interface DoneAct extends Pick<Act, 'id' | 'undoneAt'> {
  readonly word?: string
}

interface ActDeclaration<V extends ActValues> {
  readonly path: string
  readonly values: V
  /** Whether `sent` may have a file: such a form is not kept while its person signs in. */
  readonly takesFile?: true
  /** Throws `FormProblem` for a value that breaks a rule. `sent` also has fields whose names are not known in advance. */
  run(visit: ActVisit, values: ReadValues<V>, sent: RawValues): Promise<DoneAct>
  /** Shows the form again, if one was filled in; by default a page with the rule. */
  refuse?(visit: MemberVisit, problem: FormProblem, sent: RawValues): Promise<PageContent>
}

/** A POST with an undoable effect; redirects back to its page, which reports it. The outbox gets JSON instead. */
export const defineAct = <const V extends ActValues>(act: ActDeclaration<V>): PageRoute =>
  defineAction({
    path: act.path,
    access: act.takesFile === true ? member : keptMember,
    ...(act.takesFile === true && withFile),
    run: async (visit, sent) => {
      const { deps } = visit
      const back = safeReturn(formText(sent, 'return_to'), deps.config.baseUrl)
      try {
        const { id, undoneAt, word } = await act.run(
          pressed(visit, sent),
          readValues(act.values, sent, deps.now()),
          sent,
        )
        if (sent.has('kept')) await deps.write((tx) => storeKeptForm(tx, visit.session.id, null))
        setFlash(visit, word ?? (undoneAt === null ? 'done' : 'undone'), id)
        return answer(visit, { result: 'done', act_id: id }, back)
      } catch (cause) {
        if (cause instanceof FormProblem) {
          const problem = labelled(cause)
          if (wantsJson(visit)) throw problem
          return await (act.refuse ?? refuse)(visit, problem, sent)
        }
        if (cause instanceof ForgottenAct) return answer(visit, { result: 'done', act_id: cause.actId }, back)
        const refusal = refusalOf(cause)
        if (refusal === undefined) throw cause
        setFlash(visit, refusal.word, refusal.id)
        return answer(visit, { result: 'before', message: visit.t.acts[refusal.word] }, back)
      }
    },
  })

const withFile = {
  body: fileBody,
  runTooLarge: () => Promise.reject(payloadTooLarge(fileBody.maxBytes)),
}

const labels: Readonly<Record<string, Message>> = {
  picture: (t) => t.pictures.picture,
  comment: (t) => t.sheet.comment,
  watched_at: (t) => t.sheet.date,
  score_exact: (t) => t.ratings.title,
}

/** With the name of its field in front, which its form shows; a sentence names it by itself. */
function labelled(problem: FormProblem): FormProblem {
  const { field, text, status, headers } = problem
  const label = labels[field]
  if (label === undefined) return problem
  const words: Message = (t) => {
    const rule = text(t)
    return /[.。]$/.test(rule) ? rule : `${label(t)}${t.common.colon}${rule}`
  }
  return new FormProblem(field, words, status, headers)
}

export const id = positiveInteger

/** In a list of episodes (D62). */
export const episodeNumber = wholeNumber(1, maxEpisodes)
export const statusChoice = oneOf([...statusKinds, 'no_select'])

/** Browsers send a line break as CR LF, which would count as two characters. */
export const typedProse = (longest: number): Value<string> => {
  const text = prose(longest)
  return { ...text, read: (typed, now) => text.read(typed.replaceAll('\r\n', '\n'), now) }
}

export const impression = typedProse(10_000)

/** Parsed together with the precision. */
export const watchedText = anyText

/** `aired`: when the episode was broadcast. `date`: as exact as the text in `watched_at`. */
export const whenChoice = orBlank(oneOf([...precisions, 'aired', 'date']), undefined)

const answer = (visit: MemberVisit, said: PressAnswer, back: string): Response =>
  wantsJson(visit) ? pressAnswer(said) : seeOther(visit, back)

/** The visit, at the moment of the press. */
function pressed(visit: MemberVisit, sent: RawValues): ActVisit {
  const now = visit.deps.now()
  const doneAt = doneAtOf(sent, now)
  return { ...visit, now: doneAt ?? now, deps: { ...visit.deps, formId: pressIdIn(sent), doneAt } }
}

/** The id of a press; undefined without one, as from programs, each of whose requests is a press of its own. */
export function pressIdIn(sent: RawValues, field = 'form_id'): string | undefined {
  const text = formText(sent, field)
  if (text === '') return undefined
  if (!formIdPattern.test(text)) throw new FormProblem(field, (t) => t.form.notOffered)
  return text
}

/** When it was pressed (D108): a press of the future, by a clock that is ahead, is of now; one cannot be older than a receipt. */
function doneAtOf(sent: RawValues, now: number): number | undefined {
  const text = formText(sent, 'done_at')
  if (text === '') return undefined
  const at = momentInZone.read(text, now)
  if (at instanceof InvalidValue) throw new FormProblem('done_at', at.rule)
  if (at < now - receiptMs) throw new FormProblem('done_at', (t) => t.form.tooLongAgo)
  return Math.min(at, now)
}

function readValues<V extends ActValues>(values: V, sent: RawValues, now: number): ReadValues<V> {
  const read = Object.entries(values).map(([field, value]) => {
    const text = sent.get(field) ?? ''
    const result = text instanceof NotText ? text : value.read(text, now)
    if (result instanceof InvalidValue) throw new FormProblem(field, result.rule)
    return [field, result]
  })
  return Object.fromEntries(read)
}

interface Refusal {
  readonly word:
    | UndoProblem
    | ActRefused['word']
    | 'recorded_before'
    | 'status_newer'
    | 'unchanged'
    | 'not_recorded_yet'
    | 'import_first'
    | 'written_first'
  /** Of what to undo first. */
  readonly id?: number
}

function refusalOf(cause: unknown): Refusal | undefined {
  if (cause instanceof UndoRefused) {
    const { problem, blockedBy } = cause
    if (blockedBy === undefined) return { word: problem }
    return { word: blockedBy.what === 'act' ? problem : `${blockedBy.what}_first`, id: blockedBy.id }
  }
  if (cause instanceof RecordedBefore) return { word: 'recorded_before' }
  if (cause instanceof StatusChangedSince) return { word: 'status_newer' }
  if (cause instanceof NothingChanged)
    return { word: cause.kind === 'episode' ? 'not_recorded_yet' : 'unchanged' }
  return cause instanceof ActRefused ? { word: cause.word } : undefined
}

async function refuse(_: MemberVisit, problem: FormProblem): Promise<PageContent> {
  throw namedProblem(problem)
}
