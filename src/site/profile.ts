import { addressOf, profileOf, updateProfile } from '../accounts/profile'
import { checkName } from '../accounts/user'
import { words } from '../lib/words'
import { html } from '../pages/html'
import { member } from '../web/access'
import { checked, linesField, textField } from '../web/fields'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'

/** GET and POST /settings/profile: what everybody sees of a user; the username stays as it is. */
export const profile = defineForm({
  path: '/settings/profile',
  access: member,
  fields: {
    name: checked(textField({ label: words('Name', '名前'), limit: 50, autocomplete: 'name' }), checkName),
    description: linesField({ label: words('About you', '自己紹介'), limit: 500, optional: true }),
    url: checked(
      textField({
        label: words('Your site', 'ウェブサイト'),
        hint: words('An address that starts with https://', 'https:// から始まる URL'),
        limit: 500,
        optional: true,
        autocomplete: 'url',
      }),
      addressOf,
    ),
  },
  button: words('Save', '保存'),
  initial: async ({ deps, session }) => ({ ...(await profileOf(deps.read, session.userId)) }),
  show: ({ look: { say }, session }, form) => {
    const title = say('Profile', 'プロフィール')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${say('Your username is', 'ユーザー名は')} <b>${session.username}</b>${say('.', 'です。')}
        ${say('Everybody can see what you write here.', 'ここに書いた内容はすべての人に公開されます。')}</p>
        ${form}`,
    }
  },
  submit: async (visit, typed) => {
    await updateProfile(visit.deps, visit.session.userId, typed)
    return seeOther(visit, '/settings')
  },
})
