import { savePreferences } from '../../accounts/account/preferences'
import { html } from '../../pages/html'
import { checkbox, segments } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineForm } from '../../web/form'
import { member, seeOther } from '../../web/page'
import { themeNames } from './language-and-time'

export const display = defineForm({
  path: '/settings/display',
  access: member,
  fields: {
    theme: segments({ label: (t) => t.preferences.theme, options: themeNames }),
    guards_spoilers: checkbox({
      label: (t) => t.preferences.guardsSpoilers,
      hint: (t) => t.preferences.guardsSpoilersHint,
    }),
    has_keys: checkbox({ label: (t) => t.keys.title, hint: (t) => t.preferences.keysHint }),
  },
  button: (t) => t.common.save,
  initial: ({ preferences }) => ({
    theme: preferences.theme,
    guards_spoilers: preferences.guardsSpoilers ? '1' : '',
    has_keys: preferences.hasKeys ? '1' : '',
  }),
  show: ({ t, basePath }, form) => {
    const title = t.preferences.display
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${form}
        <p><a href="${basePath}/keys" data-dialog>${t.keys.title}</a></p>`,
    }
  },
  submit: async (visit, { theme, guards_spoilers, has_keys }) => {
    const { deps, session } = visit
    const changed = { theme, guardsSpoilers: guards_spoilers, hasKeys: has_keys }
    await deps.write((tx) => savePreferences(tx, session.userId, changed))
    setFlash(visit, 'saved')
    return seeOther(visit, '/settings')
  },
})
