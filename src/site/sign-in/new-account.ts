import { usernameKey, usernameText } from '../../accounts/account/user'
import { askForAccount, makeAccount } from '../../accounts/provider/admit'
import { findNewcomer, forgetNewcomer, type Newcomer } from '../../accounts/provider/attempt'
import type { Provider } from '../../options/providers'
import { html, type Markup } from '../../pages/html'
import { type PageContent, titled } from '../../pages/layout'
import { readIfValid } from '../../values/value'
import { defineForm } from '../../web/form'
import { seeOther } from '../../web/page'
import { AnswerInstead } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { eitherPages } from '../with-mail'
import { usernameField } from './account-fields'
import { beginProviderSession, orProblem } from './provider'
import { answerField, countAttempt, questionIn } from './sign-up'

interface NewcomerVisit extends Visit {
  readonly newcomer: Newcomer
  readonly provider: Provider
}

/** In the browser that came from the provider; others go to the sign-in page. */
async function newcomerOnly(visit: Visit): Promise<NewcomerVisit> {
  const { deps, cookie = '', session } = visit
  const at = deps.now()
  const newcomer = session === undefined ? await findNewcomer(deps.read, { cookie, at }) : undefined
  const provider = deps.config.providers.find(({ id }) => id === newcomer?.provider)
  if (newcomer === undefined || provider === undefined)
    throw new AnswerInstead(seeOther(visit, session === undefined ? '/sign_in?stay=1' : '/'))
  return { ...visit, newcomer, provider }
}

/** Whether an administrator decides (D51). */
async function asks(visit: Visit): Promise<boolean> {
  if (visit.deps.config.registration !== 'approve') return false
  const { newcomer, provider } = await newcomerOnly(visit)
  return !provider.signUp && newcomer.invitationId === null
}

const shared = {
  path: '/sign_in/new',
  access: newcomerOnly,
  initial: async ({ deps, newcomer }: NewcomerVisit) => ({
    username: await freeName(deps, newcomer.arrival.username),
  }),
}

/** Whoever came from a provider with a username that is missing, reserved or taken here (D103). */
export const newAccount = eitherPages(
  asks,
  defineForm({
    ...shared,
    fields: { answer: answerField(), username: usernameField },
    button: (t) => t.signUp.ask,
    show: async (visit, form) => {
      const question = await questionIn(visit)
      return page(visit, html`<p>${visit.t.signUp.decided}</p><p class="note">${question}</p>${form}`)
    },
    submit: async (visit, { username, answer }) => {
      const { deps, cookie = '', newcomer, context, language, t } = visit
      await countAttempt(visit)
      const said = { username, answer, question: await questionIn(visit), language }
      await askForAccount(deps, newcomer.arrival, said)
      await deps.write((tx) => forgetNewcomer(tx, cookie))
      deps.log('join_asked', { id: context.id })
      return { ...titled(t.signUp.askedTitle, html`<p>${t.signUp.askedWithoutMail}</p>`), isBare: true }
    },
  }),
  defineForm({
    ...shared,
    fields: { username: usernameField },
    button: (t) => t.providers.create,
    show: page,
    submit: async (visit, { username }) => {
      const { deps, cookie = '', newcomer, provider } = visit
      const { arrival, invitationId } = newcomer
      const made = await orProblem(visit, provider, () =>
        makeAccount(deps, provider, arrival, { username, invitationId }),
      )
      await deps.write((tx) => forgetNewcomer(tx, cookie))
      await beginProviderSession(visit, provider, arrival, { ...made, isNew: true })
      return seeOther(visit, '/welcome')
    },
  }),
)

function page({ t, basePath, provider }: NewcomerVisit, form: Markup): PageContent {
  const main = html`
    <h1>${t.providers.newTitle}</h1>
    <p>${t.providers.newExplained(provider.name)}</p>
    ${form}
    <p><a href="${basePath}/sign_in?stay=1&amp;return_to=%2Fsettings%2Fproviders">${t.providers.haveAccount}</a></p>`
  return { title: t.providers.newTitle, isBare: true, main }
}

/** With a number behind it if it is taken; '' if there is nothing to begin with. */
async function freeName({ read }: Visit['deps'], wanted: string): Promise<string> {
  if (readIfValid(usernameText, wanted) === undefined) return ''
  const names = [wanted, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${wanted.slice(0, 18)}_${number}`)]
  const taken = await read
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', names.map(usernameKey))
    .execute()
  return names.find((name) => !taken.some((one) => one.username_key === usernameKey(name))) ?? ''
}
