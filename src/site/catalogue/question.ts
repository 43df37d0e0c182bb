import { html } from '../../pages/html'
import { titled } from '../../pages/titled'
import { leaveOff, recommendedOf, switchOnRecommended, wasAnswered } from '../../sources/first-question'
import { radios } from '../../web/fields'
import { defineForm } from '../../web/form'
import { administrator, seeOther } from '../../web/page'
import { AnswerInstead } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import { declaredSources, hostsText, howOften } from './source-text'

/** Asked once, of the first administrator, before they pick what they are watching. */
export const catalogueQuestion = defineForm({
  path: '/welcome/catalogue',
  access: ifNotAnswered,
  fields: {
    look: radios({
      label: (t) => t.catalogue.question.label,
      options: {
        no: { label: (t) => t.catalogue.question.no, hint: (t) => t.catalogue.question.noHint },
        yes: { label: (t) => t.catalogue.question.yes, hint: (t) => t.catalogue.question.yesHint },
      },
    }),
  },
  button: (t) => t.common.continue,
  show: async ({ t }, form) => {
    const sources = recommendedOf(await declaredSources())
    const contacts = sources.map(
      (source) =>
        html`<li><b>${source.title}</b>${t.common.colon}${t.catalogue.question.hosts(hostsText(t, source), howOften(t, source))}</li>`,
    )
    const main = html`<p>${t.catalogue.question.explained}</p><ul>${contacts}</ul>
      <p>${t.catalogue.question.sends}</p>${form}<p class="meta">${t.catalogue.question.later}</p>`
    return { ...titled(t.catalogue.question.title, main), isBare: true }
  },
  submit: async (visit, { look }) => {
    const { deps, context, session } = visit
    const apply = look === 'yes' ? switchOnRecommended : leaveOff
    await apply(deps, await declaredSources())
    deps.log('source_question', { id: context.id, answer: look, by: session.userId })
    return seeOther(visit, '/welcome')
  },
})

/** Redirects to the next page if the question has been answered. */
async function ifNotAnswered(visit: Visit): Promise<MemberVisit> {
  const known = administrator(visit)
  if (await wasAnswered(visit.deps.read)) throw new AnswerInstead(seeOther(visit, '/welcome'))
  return known
}
