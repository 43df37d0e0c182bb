import { imagePath } from '../../catalogue/cover-path'
import { html, type Markup } from '../../pages/html'
import { defineAction } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { type AccessCheck, type PageRoute, seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { isOwnedBy, type Owner, ownerColumns } from '../images/former'
import { forgetPicture, restorePicture } from '../images/store'
import { pictureProblem, workOf } from './picture-field'

interface FormerOf {
  /** Of the page, as its routes have it. */
  readonly path: string
  readonly access: AccessCheck<MemberVisit>
  ownerIn(visit: MemberVisit): Owner
  /** The page's own address. */
  pathIn(visit: MemberVisit): string
}

/** What the buttons of `formerPicture` send. */
export const formerRoutes = ({ path, access, ownerIn, pathIn }: FormerOf): readonly PageRoute[] => {
  const route = (
    name: string,
    event: 'picture_restored' | 'former_picture_deleted',
    change: typeof restorePicture,
  ) =>
    defineAction({
      path: `${path}/${name}`,
      access,
      run: async (visit) => {
        const owner = ownerIn(visit)
        if (!(await orProblem(change(visit.deps, owner)))) throw pageNotFound()
        visit.deps.log(event, { kind: owner.kind, user: owner.userId, work: workOf(owner) })
        return seeOther(visit, pathIn(visit))
      },
    })
  return [
    route('restore', 'picture_restored', restorePicture),
    route('forget', 'former_picture_deleted', forgetPicture),
  ]
}

/** Only a form has a place for what is wrong. */
async function orProblem(change: Promise<boolean>): Promise<boolean> {
  try {
    return await change
  } catch (cause) {
    const problem = pictureProblem(cause)
    if (problem === undefined) throw cause
    throw new PageProblem(problem.status, (t) => t.form.notUnderstood, problem.text)
  }
}

/** The picture before, with the way back to it; nothing where there is none. */
export async function formerPicture(visit: MemberVisit, owner: Owner, path: string): Promise<Markup> {
  const { deps, pageContext } = visit
  const { t, basePath } = pageContext
  const { kind } = ownerColumns(owner)
  const former = await deps.read
    .selectFrom('former_images')
    .select('hash')
    .where(isOwnedBy(owner))
    .executeTakeFirst()
  if (former === undefined) return html``
  const [file, width, height] = kind === 'cover' ? [160, 80, 120] : [192, 80, 80]
  return html`<section class="former"><h2>${t.pictures.former}</h2>
    <img class="${kind === 'cover' ? 'cover' : 'portrait'}" src="${basePath}${imagePath(former.hash, file)}" alt="" width="${width}" height="${height}" />
    <div><p class="soft">${t.pictures.formerKept}</p>
    <div class="buttons">${buttonForm(visit, `${path}/restore`, t.pictures.restore)}${buttonForm(visit, `${path}/forget`, t.pictures.forget, 'danger')}</div></div></section>`
}
