import { MergeRefused } from '../../catalogue/edit/merges'
import { runMerges } from '../../catalogue/edit/run-merges'
import type { Deps } from '../../deps'
import type { RawValues } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import { lineUpTo } from '../../values/text'
import { InvalidValue } from '../../values/value'
import { formText } from '../../web/form'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { changePath } from '../editing/undo-button'

/** Most merges are over at once; of another one, the page of its change tells how far it is. */
export const goOn = (deps: Deps): Promise<unknown> =>
  Promise.race([runMerges(deps), Bun.sleep(longestWaitMs)])

const longestWaitMs = 1000

export interface MergeRefusal {
  readonly text: Markup
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** What stopped it, with the link to what has to be undone first. Undefined for other faults. */
export function refusalText({ t, basePath }: MemberVisit, cause: unknown): MergeRefusal | undefined {
  if (cause instanceof FormProblem)
    return { text: html`${cause.text(t)}`, status: cause.status, headers: cause.headers }
  if (!(cause instanceof MergeRefused)) return undefined
  const { problem, change } = cause
  const link =
    change === undefined ? '' : html` <a href="${basePath}${changePath(change)}">${t.editing.change}</a>`
  return { text: html`${t.merging.refused[problem]}${link}`, status: 409, headers: {} }
}

/** Throws a `FormProblem`. */
export function reasonIn(sent: RawValues): string {
  const text = formText(sent, 'reason').trim()
  const reason = text === '' ? '' : lineUpTo(500).read(text)
  if (reason instanceof InvalidValue) throw new FormProblem('reason', reason.rule)
  return reason
}
