import { languages, messagesIn } from '../messages/languages'
import { titled } from '../pages/layout'
import { setCookie } from '../web/cookies'
import { choice, hiddenField } from '../web/fields'
import { defineForm } from '../web/form'
import { anyone, seeOther } from '../web/page'
import { pageBefore, safeReturn } from '../web/return-to'
import { queryText } from '../web/visit'

const names = Object.fromEntries(languages.map((one) => [one, () => messagesIn(one).language.name]))

/** Stored in a cookie and, for signed-in users, with the account. */
export const language = defineForm({
  path: '/language',
  access: anyone,
  fields: {
    language: choice<string>({
      // In every language, so that everybody can read it.
      label: () => languages.map((one) => messagesIn(one).language.title).join(' · '),
      options: {
        browser: (t) => t.language.asBrowser,
        ...names,
      },
    }),
    return_to: hiddenField(),
  },
  button: (t) => t.language.use,
  initial: (visit) => {
    const { session } = visit
    const now = session === undefined ? visit.language : (session.language ?? 'browser')
    const requested = languages.find((one) => one === queryText(visit, 'to'))
    return { language: requested ?? now, return_to: pageBefore(visit) ?? '/' }
  },
  show: ({ t }, form) => titled(t.language.title, form),
  submit: async (visit, values) => {
    const { deps, session, cookies } = visit
    const chosen = languages.find((one) => one === values.language)
    cookies.push(
      setCookie('language', chosen ?? '', chosen === undefined ? 0 : 31_536_000, deps.config.baseUrl),
    )
    if (session !== undefined) {
      const kept = { language: chosen ?? null }
      await deps.write((tx) => tx.updateTable('users').set(kept).where('id', '=', session.userId).execute())
    }
    return seeOther(visit, safeReturn(values.return_to, deps.config.baseUrl))
  },
})
