import { addLike, type LikeTarget, removeLike } from '../../social/likes'
import { positiveInteger } from '../../values/number'
import { InvalidValue } from '../../values/value'
import { defineAction, formText } from '../../web/form'
import { member, seeOther } from '../../web/page'
import { pressAnswer, wantsJson } from '../../web/press-answer'
import { FormProblem, namedProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'

/** Fields: `record_id` or `review_id`; `liked` is 0 to remove a like. */
export const likeRoute = defineAction({
  path: '/likes',
  access: member,
  run: async (visit, sent) => {
    const { deps, session } = visit
    const change = formText(sent, 'liked') === '0' ? removeLike : addLike
    const name = formText(sent, 'review_id') === '' ? 'record_id' : 'review_id'
    await change(deps, session.userId, targetOf(name, formText(sent, name)))
    // No receipt: liking twice is liking once.
    if (wantsJson(visit)) return pressAnswer({ result: 'done', act_id: null })
    return seeOther(visit, safeReturn(formText(sent, 'return_to'), deps.config.baseUrl))
  },
})

function targetOf(name: LikeTarget['name'], text: string): LikeTarget {
  const id = positiveInteger.read(text)
  if (id instanceof InvalidValue) throw namedProblem(new FormProblem(name, id.rule))
  return { name, id }
}
