import { lackingOf } from '../../catalogue/lacking'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { leaveOff, recommendedOf, switchOnRecommended, wasAnswered } from '../../sources/first-question'
import { oneOf } from '../../values/text'
import { InvalidValue, orBlank } from '../../values/value'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { administrator, definePage, type PageRoute, seeOther } from '../../web/page'
import { AnswerInstead, FormProblem } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import { declaredSources, hostsText, howOften } from './source-text'

const path = '/welcome/catalogue'

const look = orBlank(oneOf(['yes', 'no']), 'no')

/** Asked once, of the first administrator, before they pick what they are watching. Each answer is one press. */
export const catalogueQuestion: readonly PageRoute[] = [
  definePage({
    path,
    access: ifNotAnswered,
    show: async (visit) => {
      const { t, deps, now } = visit
      const lacking = await lackingOf(deps.read, now)
      const sources = recommendedOf(await declaredSources())
      const contacts = sources.map(
        (source) =>
          html`<li><b>${source.title}</b>${t.common.colon}${t.catalogue.question.hosts(hostsText(t, source), howOften(t, source))}</li>`,
      )
      const main = html`${lacking === undefined ? '' : html`<p>${t.catalogue.question.lacks(lacking)}</p>`}<p>${t.catalogue.question.explained}</p><ul>${contacts}</ul>
        <p>${t.catalogue.question.sends}</p>${answers(visit)}<p class="meta">${t.catalogue.question.later}</p>`
      return { ...titled(t.catalogue.question.title, main), isBare: true }
    },
  }),
  defineAction({
    path,
    access: administrator,
    run: async (visit, sent) => {
      const { deps, context, session } = visit
      const answer = look.read(formText(sent, 'look'))
      if (answer instanceof InvalidValue) throw new FormProblem('look', (t) => t.form.notOffered)
      const apply = answer === 'yes' ? switchOnRecommended : leaveOff
      await apply(deps, await declaredSources())
      deps.log('source_question', { id: context.id, answer, by: session.userId })
      return seeOther(visit, '/welcome')
    },
  }),
]

function answers(visit: MemberVisit): Markup {
  const { yes, yesHint, no, noHint } = visit.t.catalogue.question
  return html`<form method="post" action="${visit.basePath}${path}" class="answers">${csrfInput(visit)}
    <p><button class="filled" name="look" value="yes">${yes}</button><br /><small>${yesHint}</small></p>
    <p><button class="outlined" name="look" value="no">${no}</button><br /><small>${noHint}</small></p></form>`
}

/** Redirects to the next page if the question has been answered. */
async function ifNotAnswered(visit: Visit): Promise<MemberVisit> {
  const known = administrator(visit)
  if (await wasAnswered(visit.deps.read)) throw new AnswerInstead(seeOther(visit, '/welcome'))
  return known
}
