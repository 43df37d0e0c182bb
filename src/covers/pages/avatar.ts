import { avatarUrl } from '../../pages/avatar'
import { html } from '../../pages/html'
import { member } from '../../web/access'
import { defineAction, defineForm } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import type { Owner } from '../images/former'
import { removePicture } from '../images/store'
import { formerPicture, formerRoutes } from './former-picture'
import { pictureField, upload } from './picture-field'

const path = '/settings/avatar'

const ownerIn = ({ session }: MemberVisit): Owner => ({ kind: 'avatar', userId: session.userId })

export const avatarPages: readonly PageRoute[] = [
  ...defineForm({
    path,
    access: member,
    fields: { picture: pictureField },
    button: (t) => t.pictures.upload,
    show: async (visit, form) => {
      const { deps, session, pageContext } = visit
      const { t, basePath } = pageContext
      const user = await deps.read
        .selectFrom('users')
        .select(['username', 'avatar_url'])
        .where('id', '=', session.userId)
        .executeTakeFirstOrThrow()
      const main = html`
        <h1>${t.pictures.avatarTitle}</h1>
        <img class="portrait" src="${avatarUrl(basePath, user)}" alt="" width="96" height="96" />
        <p>${t.pictures.avatarExplained} ${t.pictures.avatarCropped}</p>
        ${form}
        ${user.avatar_url === '' ? '' : buttonForm(visit, `${path}/remove`, t.pictures.remove)}
        ${await formerPicture(visit, ownerIn(visit), path)}`
      return { title: t.pictures.avatarTitle, main }
    },
    submit: async (visit, { picture }) => {
      await upload(visit.deps, ownerIn(visit), picture)
      return seeOther(visit, path)
    },
  }),
  ...formerRoutes({ path, access: member, ownerIn, pathIn: () => path }),
  defineAction({
    path: `${path}/remove`,
    access: member,
    run: async (visit) => {
      if (!(await removePicture(visit.deps, ownerIn(visit)))) throw pageNotFound()
      visit.deps.log('picture_removed', { kind: 'avatar', user: visit.session.userId })
      return seeOther(visit, path)
    },
  }),
]
