import { CatalogueChange } from '../../catalogue/edit/change'
import { episodesOf, isFull, type ListEdit, mostEpisodes } from '../../catalogue/edit/episode-list'
import { handleOf } from '../../db/dialect'
import type { Tx } from '../../db/write'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { setFlash } from '../../web/flash'
import { seeOther } from '../../web/page'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import type { ShownWork } from '../work/view'
import { refuseTooMany } from './save'
import { readWhy } from './sent-edits'

/** One change of the list, with why it is made. Returns its id; undefined if nothing changed. */
export async function saveList(
  { deps, session }: MemberVisit,
  { id: work }: ShownWork,
  sent: RawValues,
  make: (edit: ListEdit, tx: Tx) => void | Promise<void>,
): Promise<number | undefined> {
  const problems: Record<string, Message> = {}
  const typed = { reason: textOrBlank(sent, 'reason'), source_url: textOrBlank(sent, 'source_url') }
  const why = readWhy(typed, false, problems)
  for (const [name, rule] of Object.entries(problems)) throw new FormProblem(name, rule)
  return await deps.write(async (tx) => {
    const now = deps.now()
    await refuseTooMany(tx, session.userId, now)
    const handle = handleOf(tx)
    const change = new CatalogueChange(handle, { kind: 'episodes', work, user: session.userId, now, ...why })
    await make({ handle, change, work }, tx)
    return change.save()
  })
}

export async function finish(
  visit: MemberVisit,
  sent: RawValues,
  work: ShownWork,
  change: number | undefined,
): Promise<Response> {
  setFlash(visit, change === undefined ? 'unedited' : 'edited', change)
  const back = textOrBlank(sent, 'return_to')
  const list = `/works/${work.id}/edit/episodes`
  return seeOther(visit, new RegExp(`^${list}(\\?page=[0-9]{1,3})?$`).test(back) ? back : list)
}

/** Throws a `FormProblem` if the list would be too long. */
export function roomFor({ handle, work }: ListEdit, more: number): void {
  if (isFull(episodesOf(handle, work), more))
    throw new FormProblem('', (t) => t.episodeList.fullList(mostEpisodes))
}
