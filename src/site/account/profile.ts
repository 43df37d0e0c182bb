import { profileOf, siteAddress, updateProfile } from '../../accounts/account/profile'
import { displayName } from '../../accounts/account/user'
import { html } from '../../pages/html'
import { linesField, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member, seeOther } from '../../web/page'

export const profile = defineForm({
  path: '/settings/profile',
  access: member,
  fields: {
    name: textField({ label: (t) => t.common.name, autocomplete: 'name', value: displayName }),
    description: linesField({ label: (t) => t.profile.about, limit: 500, optional: true }),
    url: textField({
      label: (t) => t.profile.website,
      hint: (t) => t.profile.websiteHint,
      limit: 500,
      optional: true,
      autocomplete: 'url',
      value: siteAddress,
    }),
  },
  button: (t) => t.common.save,
  initial: async ({ deps, session }) => ({ ...(await profileOf(deps.seen, session.userId)) }),
  show: ({ t, session }, form) => {
    const title = t.profile.title
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${t.profile.username(session.username)}</p>
        ${form}`,
    }
  },
  submit: async (visit, typed) => {
    await updateProfile(visit.deps, visit.session.userId, typed)
    return seeOther(visit, '/settings')
  },
})
