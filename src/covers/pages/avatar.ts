import { avatarUrl } from '../../pages/avatar'
import { html } from '../../pages/html'
import { buttonForm } from '../../web/form-markup'
import { member } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import type { PictureOwner } from '../images/former'
import { formerPicture, picturePages } from './picture-pages'

const path = '/settings/avatar'

const ownerIn = ({ session }: MemberVisit): PictureOwner => ({ kind: 'avatar', userId: session.userId })

export const avatarPages = picturePages({
  path,
  access: member,
  ownerIn,
  pathIn: () => path,
  show: async (visit, form) => {
    const { deps, session, t, basePath } = visit
    const user = await deps.read
      .selectFrom('users')
      .select(['username', 'avatar_url'])
      .where('id', '=', session.userId)
      .executeTakeFirstOrThrow()
    const main = html`
        <h1>${t.pictures.avatarTitle}</h1>
        <img class="portrait" src="${avatarUrl(basePath, user)}" alt="" width="96" height="96" />
        <p>${t.pictures.avatarExplained}${t.common.gap}${t.pictures.avatarCropped}</p>
        ${form}
        ${user.avatar_url === '' ? '' : buttonForm(visit, `${path}/remove`, t.pictures.remove)}
        ${await formerPicture(visit, ownerIn(visit), path)}`
    return { title: t.pictures.avatarTitle, main }
  },
})
