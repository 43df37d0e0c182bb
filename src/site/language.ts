import { type Language, languages, words } from '../lib/words'
import { html } from '../pages/html'
import { anyone } from '../web/access'
import { setCookie } from '../web/cookies'
import { choice } from '../web/fields'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { queryText } from '../web/query'

/** GET and POST /language: kept in the browser, and with the account of somebody who is signed in. */
export const language = defineForm({
  path: '/language',
  access: anyone,
  fields: {
    language: choice({
      label: words('Language · 言語', 'Language · 言語'),
      options: {
        browser: words('As the browser asks', 'ブラウザーの設定に従う'),
        en: words('English', 'English'),
        ja: words('日本語', '日本語'),
      },
    }),
  },
  button: words('Use this language', 'この言語を使う'),
  initial: (visit) => {
    const { session, look } = visit
    const now = session === undefined ? look.language : (session.language ?? 'browser')
    const asked = languages.find((one) => one === queryText(visit, 'to'))
    return { language: asked ?? now }
  },
  show: ({ look: { say } }, form) => ({
    title: say('Language', '言語'),
    main: html`<h1>${say('Language', '言語')}</h1>${form}`,
  }),
  submit: async (visit, asked) => {
    const { deps, session, cookies } = visit
    const chosen: Language | undefined = languages.find((one) => one === asked.language)
    cookies.push(
      setCookie('language', chosen ?? '', chosen === undefined ? 0 : 31_536_000, deps.config.baseUrl),
    )
    if (session !== undefined) {
      const kept = { language: chosen ?? null }
      await deps.write((tx) => tx.updateTable('users').set(kept).where('id', '=', session.userId).execute())
    }
    return seeOther(visit, '/')
  },
})
